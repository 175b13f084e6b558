/** One window plays a session at a time. */
const HERE_WITHIN_MS = 200;

/** Lets another window of this browser play. */
export type Release = () => void;

/** Null where another window plays. `lost` is called when another window takes over. */
export async function hold(sessionId: string, steal: boolean, lost: () => void): Promise<Release | null> {
  return globalThis.navigator?.locks
    ? withLocks(sessionId, steal, lost)
    : withChannel(sessionId, steal, lost);
}

function withLocks(sessionId: string, steal: boolean, lost: () => void): Promise<Release | null> {
  const name = `session:${sessionId}`;
  return new Promise((resolve) => {
    navigator.locks
      .request(name, steal ? { steal } : { ifAvailable: true }, (lock) => {
        if (lock) return new Promise<void>((release) => resolve(release));
        resolve(null);
      })
      .catch(lost);
  });
}

/** Plain HTTP has no locks: the windows ask each other. */
function withChannel(sessionId: string, steal: boolean, lost: () => void): Promise<Release | null> {
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
      resolve(() => channel.close());
    };
    if (steal) {
      channel.postMessage("mine");
      take();
      return;
    }
    const timer = setTimeout(take, HERE_WITHIN_MS);
    channel.onmessage = (event) => {
      if (event.data !== "here") return;
      clearTimeout(timer);
      channel.close();
      resolve(null);
    };
    channel.postMessage("anybody?");
  });
}
