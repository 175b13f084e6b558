/** Keeps the child's page on the tablet, so that it opens, and plays on, while there is no network. The API is never kept.
 * A new version waits until the page says that no session is under way. */
/// <reference lib="webworker" />
/** Written by the build: the files of the child's page, and a name that changes with them. */
declare const KEPT: { version: string; files: string[] };

const worker = globalThis as unknown as ServiceWorkerGlobalScope;

/** Addresses of the child's page. */
const SHELL = /^\/(?:play|path|talk|lesson|k|train(?:\/\w+)?)?$/;

worker.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT.version).then((cache) => cache.addAll(KEPT.files)));
});

worker.addEventListener("activate", (event) => {
  const others = caches.keys().then((names) => names.filter((name) => name !== KEPT.version));
  event.waitUntil(others.then((names) => Promise.all(names.map((name) => caches.delete(name)))));
});

worker.addEventListener("message", (event) => {
  if (event.data === "take over") void worker.skipWaiting();
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (request.method !== "GET" || origin !== worker.location.origin) return;
  if (request.mode === "navigate") {
    if (SHELL.test(pathname)) event.respondWith(kept("/"));
  } else if (pathname.startsWith("/assets/")) event.respondWith(kept(request));
});

/** From the cache, else from the service: then it is kept, as its name changes with its content. */
async function kept(request: Request | string): Promise<Response> {
  const cache = await caches.open(KEPT.version);
  const found = await cache.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok && typeof request !== "string") await cache.put(request, answer.clone());
  return answer;
}
