import { startAssistant, type TestAssistant } from '../api/assistant/harness.ts';
import { sampleDocs } from '../api/assistant/sample-docs.ts';

/**
 * Questions of people who have not read the docs, in their words, with the pages that answer each.
 * Ranking knows none of them. If one is lost, write the page for people who ask like that.
 */
const QUESTIONS: [question: string, ...answers: string[]][] = [
  ['How do I get started?', '/quickstart'],
  ['does my code or docs leave my network', '/operate/data-and-retention'],
  ['can I run it without an openai / anthropic key', '/agent/offline-model'],
  ['which models work, can I use ollama', '/operate/model-servers'],
  ['what hardware do I need (ram, cpu, gpu)', '/works-with'],
  ['is it free for commercial use / license', '/cost'],
  ['does it work with confluence / notion / mkdocs / docusaurus', '/works-with'],
  ['how good are the answers, how did you measure', '/assistant'],
  ['does it work on windows / mac m1', '/works-with'],
  ['how many pages / repos can it handle', '/works-with'],
  ['port already in use', '/operate/troubleshooting'],
  ['I forgot the admin password', '/operate/users'],
  ['how do I add users / invite my team', '/operate/users'],
  ['single sign on with okta / google login', '/operate/users'],
  ['how do I back up and restore', '/operate/backup'],
  ['how do I upgrade to a new version', '/operate/install'],
  ['put it behind nginx with https', '/operate/deploy'],
  ['how do I re-index after I changed the docs', '/assistant/better-answers'],
  ['how do I embed the chat widget on my site', '/assistant/chat-hook', '/assistant'],
  ['how do I get an api key and call it with curl', '/api/authentication'],
  ['where are the logs / it hangs, what now', '/operate/troubleshooting'],
  ['rate limit 429 too many requests', '/api/limits'],
  ['how do I uninstall it completely', '/operate/install'],
  // Ten more.
  ['who merges the changes, can it push to main by itself', '/agent/review-and-merge'],
  ['how much does one pull request cost me', '/cost'],
  ['can it read our source code to write the docs', '/agent/tools'],
  ['what happens to a running job when the server crashes', '/architecture'],
  ['gdpr: delete the data of one person', '/operate/data-and-retention'],
  ['do you train on our content', '/operate/data-and-retention'],
  ['can I use gitlab or bitbucket', '/works-with', '/operate/repository-hosts'],
  ['the agent did something wrong, how do I undo it', '/agent/review-and-merge', '/agent/scripts'],
  ['is there a docker image or do I need kubernetes', '/operate/deploy'],
  ['call it from python or go', '/api/reference'],
];

let assistant: TestAssistant;
beforeAll(async () => {
  assistant = await startAssistant([], {}, sampleDocs());
}, 120_000);
afterAll(() => assistant.close());

it.each(QUESTIONS)('%s', async (query, ...answers) => {
  const response = await assistant.post(`/discovery/v1/search/${assistant.project.domain}`, {
    query,
    pageSize: 5,
  });
  const paths = ((await response.json()) as { path: string }[]).map(({ path }) => path);
  // The answer shows all five: what a page lost against is what to look at.
  const rank = paths.findIndex(path => answers.includes(path)) + 1;
  expect([rank === 1 || rank === 2, paths]).toEqual([true, paths]);
});
