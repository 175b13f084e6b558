/** The service worker: kept up to date, but never changed under a child that plays. */
import { report } from "./trouble";

/** What some browsers want an address of a script to be made with. */
interface TrustedTypes {
  createPolicy(name: string, rules: object): { createScriptURL(address: string): string };
}

const WORKER = "/sw.js";
const ASKED_EVERY_MS = 5_000;

/** Where the page came over plain HTTP there is none, and the page works without it. */
export function install(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy("service-worker", { createScriptURL: () => WORKER });
  void navigator.serviceWorker
    .register(policy?.createScriptURL(WORKER) ?? WORKER)
    .then((registered) => {
      document.addEventListener("visibilitychange", () => {
        if (!document.hidden) void registered.update().catch(() => {});
      });
    })
    .catch((why) => report("the page is not kept on this device", why));
}

/** Call where nothing is under way; -> what to call when something begins. In between a new version may take over, and
 * the page begins anew with it. It is asked again and again: the worker that hears it may be stopped at any time. */
export function renew(): () => void {
  if (!("serviceWorker" in navigator)) return () => {};
  const worker = navigator.serviceWorker;
  const begin = () => location.reload();
  const ask = async () => {
    const registered = await worker.getRegistration();
    if (registered?.active) registered.waiting?.postMessage("take over");
  };
  worker.addEventListener("controllerchange", begin);
  void ask();
  const asking = setInterval(ask, ASKED_EVERY_MS);
  return () => {
    clearInterval(asking);
    worker.removeEventListener("controllerchange", begin);
  };
}
