FROM node:24-slim AS page
WORKDIR /source
COPY web web
COPY scripts/web scripts/web
RUN scripts/web && test -e maththera/web/dist/index.html

FROM python:3.12-slim AS build
RUN python -m venv /app
COPY requirements.lock ./
RUN /app/bin/pip install --no-cache-dir --no-deps --require-hashes --requirement requirements.lock
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY configs configs
COPY prompts prompts
COPY flows flows
COPY maththera maththera
COPY --from=page /source/maththera/web/dist maththera/web/dist
RUN /app/bin/pip install --no-cache-dir --no-deps .

FROM python:3.12-slim
RUN useradd --uid 10001 --no-create-home maththera && install --directory --owner=maththera --mode=700 /data
COPY --from=build /app /app
ENV PATH=/app/bin:$PATH MATHTHERA_DATA_DIR=/data MATHTHERA_LOG_FORMAT=json
USER maththera
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
CMD ["maththera", "serve", "--host", "0.0.0.0"]
