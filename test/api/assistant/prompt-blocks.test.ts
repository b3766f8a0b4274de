import { answerWindow } from '../../../api/assistant/model/window.ts';
import { assistantPrompt, conversationPrompt } from '../../../api/assistant/model/prompt.ts';

it('the question begins a line where a server joins the blocks of a message as they are', () => {
  const passages = [{ heading: 'Limits', text: 'The default is 100.', anchor: null }];
  const page = { path: '/limits', url: '/limits', source: '/limits', title: 'Limits', passages };
  const [message] = conversationPrompt(
    [{ role: 'user', text: 'How do I cancel a job?' }] as never,
    { pages: [page] as never, firstNumber: 1 },
    { currentPath: '/limits' },
    { passages: 'numbered', window: answerWindow({ ASSISTANT_MAX_OUTPUT_TOKENS: 1000 }, 'm') },
  );
  const texts = (message!.content as { text: string }[]).map(({ text }) => text).join('');
  expect(texts).toMatch(
    /^\[1\] Limits \(\/limits\)\n\nThe default is 100\.\n\n<reader-context>.*<\/reader-context>\n\nHow do I cancel a job\?$/,
  );
});

it('so do the words of the site behind our rules', () => {
  const blocks = assistantPrompt({ instructions: 'Be brief.', unreadPages: null }, 'numbered');
  expect(blocks.map(({ text }) => text).join('')).toMatch(/\S\n\nThe site's owner adds/);
});
