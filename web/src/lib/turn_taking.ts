/** One window plays a session at a time. */
import { freshId } from "./api";

const HERE_WITHIN_MS = 200;
/** A page that is reloaded holds its lock until the browser has put it away, which a busy tablet does late. */
const PUT_AWAY_WITHIN_MS = 1_500;

/** Lets another window of this browser play. */
export type Release = () => void;

/** Null where another window plays. `lost` is called when another window takes over. */
export async function hold(sessionId: string, steal: boolean, lost: () => void): Promise<Release | null> {
  return globalThis.navigator?.locks
    ? withLocks(sessionId, steal, lost)
    : withChannel(sessionId, steal, lost);
}

function withLocks(sessionId: string, steal: boolean, lost: () => void): Promise<Release | null> {
  const how = steal ? { steal } : { signal: AbortSignal.timeout(PUT_AWAY_WITHIN_MS) };
  return new Promise((resolve) => {
    let plays = false;
    const play = () => {
      plays = true;
      return new Promise<void>((release) => resolve(release));
    };
    navigator.locks.request(`session:${sessionId}`, how, play).catch(() => (plays ? lost() : resolve(null)));
  });
}

/** What windows say to each other; `to` is the window that has asked. */
type Word = { says: "anybody?"; from: string } | { says: "here"; to: string } | { says: "mine" };

/** Plain HTTP has no locks: the windows ask each other. Who hears late that another one plays stops then. */
function withChannel(sessionId: string, steal: boolean, lost: () => void): Promise<Release | null> {
  const channel = new BroadcastChannel(`session:${sessionId}`);
  const own = freshId();
  const say = (word: Word) => channel.postMessage(word);
  return new Promise((resolve) => {
    let plays = false;
    const play = () => {
      plays = true;
      resolve(() => channel.close());
    };
    channel.onmessage = ({ data }: MessageEvent<Word>) => {
      if (data.says === "anybody?") {
        if (plays) say({ says: "here", to: data.from });
      } else if (data.says === "mine" || data.to === own) {
        clearTimeout(timer);
        channel.close();
        if (plays) lost();
        else resolve(null);
      }
    };
    const timer = steal ? undefined : setTimeout(play, HERE_WITHIN_MS);
    if (steal) {
      say({ says: "mine" });
      play();
    } else say({ says: "anybody?", from: own });
  });
}
