// The real hook of chat SDK 4 on a v1 create: node hook-v4.mjs SDK_MODULE URL KEY. Prints what the
// hook shows.
const [sdkModule, api, key] = process.argv.slice(2);
const { React, createRoot, aiReact } = await import(sdkModule);

const live = { chat: undefined, errors: [], finished: undefined, requests: 0 };
function Probe() {
  live.chat = aiReact.useChat({
    api,
    streamProtocol: 'data',
    maxSteps: 5, // with finished tool calls in the last step, the hook would send the conversation again
    headers: { Authorization: `Bearer ${key}` },
    fetch: (url, init) => {
      live.requests += 1;
      return fetch(url, init);
    },
    onFinish: (message, detail) => {
      live.finished = { message, detail };
    },
    onError: error => live.errors.push(String(error)),
  });
  return null;
}
const root = createRoot(document.getElementById('root'));
root.render(React.createElement(Probe));
const until = async test => {
  for (const end = Date.now() + 60_000; !test() && Date.now() < end;)
    await new Promise(resolve => setTimeout(resolve, 10));
};
await until(() => live.chat);
void live.chat.append({ role: 'user', content: 'Change the line' });
await until(() => live.finished || live.errors.length > 0);
await new Promise(resolve => setTimeout(resolve, 300)); // time for a second request, if there is to be one
const { messages, data, status } = live.chat;
console.log(
  JSON.stringify({
    errors: live.errors,
    requests: live.requests,
    status,
    data,
    message: messages.at(-1),
    finishReason: live.finished?.detail.finishReason,
  }),
);
root.unmount();
process.exit(0);
