import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const DIST = join(import.meta.dirname, "../maththera/web/dist");
const SERVICE = process.env.MATHTHERA_SERVICE ?? "http://127.0.0.1:8000";

/** Writes `.br` and `.gz` beside every text of the build, so that the service compresses nothing itself. */
function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    closeBundle() {
      for (const entry of readdirSync(DIST, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !/\.(js|css|html|svg|webmanifest)$/.test(entry.name)) continue;
        const path = join(entry.parentPath, entry.name);
        const text = readFileSync(path);
        writeFileSync(`${path}.br`, brotliCompressSync(text));
        writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }));
      }
    },
  };
}

/** Whether a part of the build is of the adults' pages: a child's device needs none of them. */
function isAdults({ moduleIds }: { moduleIds: string[] }): boolean {
  return moduleIds.some((id) => /\/src\/(adult|chat|guardian|operator|words)\//.test(id));
}

const scriptName = (chunk: { moduleIds: string[] }) =>
  `assets/${isAdults(chunk) ? "Adult-" : ""}[name]-[hash].js`;

/** What the service worker keeps: the shell, and all that a child may need; the rest font comes when it is used. */
function keptOnDevice(): Plugin {
  return {
    name: "kept-on-device",
    apply: "build",
    generateBundle(_, bundle) {
      const worker = bundle["sw.js"];
      if (worker?.type !== "chunk") throw new Error("there is no service worker");
      const adults = Object.values(bundle).filter((part) => part.type === "chunk" && isAdults(part));
      const styles = adults.flatMap((part) => [...(part.viteMetadata?.importedCss ?? [])]);
      const kept = (name: string) => /^assets\/(?!Adult|Author|rest-)/.test(name) && !styles.includes(name);
      const assets = Object.keys(bundle).filter(kept);
      const files = ["/", ...assets.map((name) => `/${name}`), "/manifest.webmanifest", "/icon.svg"];
      const version = createHash("sha256").update(files.join()).digest("hex").slice(0, 16);
      worker.code = `const KEPT = ${JSON.stringify({ version, files })};\n${worker.code}`;
    },
  };
}

export default defineConfig({
  plugins: [svelte(), keptOnDevice(), compressed()],
  build: {
    outDir: DIST,
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: { index: "index.html", adult: "adult.html", sw: "src/sw.ts" },
      output: {
        entryFileNames: (chunk) => (chunk.name === "sw" ? "sw.js" : scriptName(chunk)),
        chunkFileNames: scriptName,
      },
    },
  },
  server: { port: 5173, proxy: { "/api": SERVICE, "/healthz": SERVICE } },
  test: { include: ["tests/**/*.test.ts"] },
});
