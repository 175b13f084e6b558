/** What must survive a reload: answers on their way, and what is half typed. Never a token or a name. */
import { report } from "./trouble";

export interface Letter {
  request_id: string;
  session_id: string;
  /** Of what was played outside of a session: who played. */
  student_id?: string;
  body: { type: string; request_id?: string; task_id?: string; answer?: number; [more: string]: unknown };
}

export interface Draft {
  session_id: string;
  task_id: string;
  typed: string;
  carries: string[];
}

type Table = "outbox" | "drafts";

const memory: Record<Table, Map<string, unknown>> = { outbox: new Map(), drafts: new Map() };
let opened: Promise<IDBDatabase | null> | undefined;

function open(): Promise<IDBDatabase | null> {
  opened ??= new Promise((resolve) => {
    if (!globalThis.indexedDB) return resolve(null);
    const request = indexedDB.open("maththera", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("outbox", { keyPath: "request_id" });
      request.result.createObjectStore("drafts", { keyPath: "session_id" });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => {
      report("nothing can be kept here", request.error);
      resolve(null);
    };
  });
  return opened;
}

async function within<T>(
  table: Table,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  const database = await open();
  if (!database) return undefined;
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(table, mode, { durability: "strict" });
    const request = work(transaction.objectStore(table));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
}

export async function keep(table: "outbox", value: Letter): Promise<void>;
export async function keep(table: "drafts", value: Draft): Promise<void>;
export async function keep(table: Table, value: Letter | Draft): Promise<void> {
  memory[table].set("request_id" in value ? value.request_id : value.session_id, value);
  await within(table, "readwrite", (store) => store.put(value)).catch((why) => report("not kept", why));
}

export async function drop(table: Table, key: string): Promise<void> {
  memory[table].delete(key);
  await within(table, "readwrite", (store) => store.delete(key)).catch((why) => report("not dropped", why));
}

export async function draftOf(sessionId: string): Promise<Draft | undefined> {
  const kept = await within<Draft>("drafts", "readonly", (store) => store.get(sessionId)).catch(
    () => undefined,
  );
  return kept ?? (memory.drafts.get(sessionId) as Draft | undefined);
}

async function letters(): Promise<Letter[]> {
  const kept = await within<Letter[]>("outbox", "readonly", (store) => store.getAll()).catch(() => undefined);
  return kept ?? ([...memory.outbox.values()] as Letter[]);
}

/** Answers of a session that nobody has confirmed. */
export const waitingLetters = async (sessionId: string): Promise<Letter[]> =>
  (await letters()).filter((letter) => letter.session_id === sessionId);

/** What a child has played outside of a session, and nobody has confirmed. */
export const lettersOf = async (studentId: string): Promise<Letter[]> =>
  (await letters()).filter((letter) => letter.student_id === studentId);
