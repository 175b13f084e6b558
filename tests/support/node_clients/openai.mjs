// node openai.mjs BASE_URL TOKEN: what the official client makes of a whole answer, a stream, and errors, as JSON.
import OpenAI from "openai";

const [baseURL, token] = process.argv.slice(2);
const client = new OpenAI({ baseURL, apiKey: token, maxRetries: 0 });
const question = { model: "maththera-coach", messages: [{ role: "user", content: "내 약점 보여줘" }] };

const models = [];
for await (const model of client.models.list()) models.push(model.id);

const whole = await client.chat.completions.create(question);

const runner = client.chat.completions.stream({ ...question, stream_options: { include_usage: true } });
const pieces = [];
runner.on("content", (piece) => void pieces.push(piece));
const streamed = await runner.finalChatCompletion();

async function failure(promise) {
  try {
    await promise;
    return null;
  } catch (error) {
    return { name: error.constructor.name, status: error.status, code: error.code, param: error.param };
  }
}
const unknown = await failure(client.chat.completions.create({ ...question, model: "gpt-4" }));
const stranger = new OpenAI({ baseURL, apiKey: "nobody", maxRetries: 0 });
const unauthorized = await failure(stranger.chat.completions.create(question));

console.log(JSON.stringify({ models, whole, pieces, streamed, unknown, unauthorized }));
