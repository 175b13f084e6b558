/** One window plays a session at a time. */
const HERE_WITHIN_MS = 200;

/** True where this window may play. `lost` is called when another window takes over. */
export async function hold(sessionId: string, { steal = false }, lost: () => void): Promise<boolean> {
  return globalThis.navigator?.locks
    ? withLocks(sessionId, steal, lost)
    : withChannel(sessionId, steal, lost);
}

function withLocks(sessionId: string, steal: boolean, lost: () => void): Promise<boolean> {
  const name = `session:${sessionId}`;
  return new Promise((resolve) => {
    navigator.locks
      .request(name, steal ? { steal } : { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock ? new Promise<void>(() => {}) : undefined;
      })
      .catch(lost);
  });
}

/** Plain HTTP has no locks: the windows ask each other. */
function withChannel(sessionId: string, steal: boolean, lost: () => void): Promise<boolean> {
  const channel = new BroadcastChannel(`session:${sessionId}`);
  return new Promise((resolve) => {
    const take = () => {
      channel.onmessage = (event) => {
        if (event.data === "anybody?") channel.postMessage("here");
        if (event.data === "mine") {
          channel.close();
          lost();
        }
      };
      resolve(true);
    };
    if (steal) {
      channel.postMessage("mine");
      return take();
    }
    const timer = setTimeout(take, HERE_WITHIN_MS);
    channel.onmessage = (event) => {
      if (event.data !== "here") return;
      clearTimeout(timer);
      channel.close();
      resolve(false);
    };
    channel.postMessage("anybody?");
  });
}
