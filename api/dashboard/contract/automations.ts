/** Automations: the dashboard's contract. */
import { type Static, Type } from '@sinclair/typebox';
import { AutomationSchema, RunSchema } from '../../../shared/jobs/automation-schemas.ts';

export const Automation = AutomationSchema;
export type Automation = Static<typeof Automation>;
export const AutomationRun = RunSchema;
export type AutomationRun = Static<typeof AutomationRun>;
export const AutomationList = Type.Object({
  automations: Type.Array(Automation),
  /** Ready-made ones that can be added. */
  ready: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
});
export const AutomationRuns = Type.Object({ runs: Type.Array(AutomationRun) });
export const AddAutomation = Type.Object({ ready: Type.String({ maxLength: 100 }) });
export const AutomationAdded = Type.Object({ prLink: Type.String() });
export const AutomationChange = Type.Object({ paused: Type.Boolean() });
