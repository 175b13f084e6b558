// node ag_ui.mjs URL TOKEN: two runs of one thread with the official client, then one that is refused, and one that is
// given up. What was seen goes to standard output as JSON. The client itself rejects events that do not fit or balance.
import { HttpAgent } from "@ag-ui/client";

const [url, token] = process.argv.slice(2);

function agentOf(threadId, bearer = token) {
  return new HttpAgent({ url, threadId, headers: { Authorization: `Bearer ${bearer}` } });
}

let said = 0;
function ask(agent, content) {
  agent.addMessage({ id: `said-${++said}`, role: "user", content });
}

async function run(agent, subscriber = {}, forwardedProps = {}) {
  const types = [];
  const custom = {};
  await agent.runAgent(
    { forwardedProps },
    {
      onEvent: ({ event }) => void types.push(event.type),
      onCustomEvent: ({ event }) => void (custom[event.name] = event.value),
      ...subscriber,
    },
  );
  return { types, custom };
}

const coach = agentOf("node-thread");
ask(coach, "내 약점 보여줘");
const first = await run(coach);
ask(coach, "왜?");
const second = await run(coach);

const assistant = agentOf("node-assistant");
ask(assistant, "자릿값이 뭐야?");
const levels = await run(assistant, {}, { profile: "assistant" });

let refused = null;
const stranger = agentOf("node-stranger", "nobody");
ask(stranger, "내 약점 보여줘");
await run(stranger).catch((error) => (refused = String(error.message)));

const impatient = agentOf("node-impatient");
ask(impatient, "내 약점 보여줘");
await run(impatient, { onRunStartedEvent: () => impatient.abortRun() }).catch(() => {});
ask(impatient, "내 성적 보여줘");
let again = null;
for (let attempt = 0; again === null && attempt < 100; attempt++) {
  // Until the turn that was given up has let go of the thread.
  again = await run(impatient).catch((error) => {
    if (!String(error.message).includes("409")) throw error;
    return new Promise((resolve) => setTimeout(() => resolve(null), 50));
  });
}

console.log(
  JSON.stringify({ first, second, messages: coach.messages, levels, answers: assistant.messages, refused, again }),
);
