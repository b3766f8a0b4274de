// What the worker's bundle registers: one export a workflow.
export { agentJob } from './agent-job.ts';
export { indexSite, lookAtPublishedSite } from './index-site.ts';
export { addAutomation, automationRun, watchRepository } from './automation-run.ts';
