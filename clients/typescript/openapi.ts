// Made of docs/openapi.json by: npm run generate -w docent-client

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description Of what the policy refused: for this job. For the project, only owners may, in the dashboard: 403.
         * @enum {string}
         */
        AllowedFor: "job" | "project";
        /** @description The answer ends early. */
        AnswerError: {
            /** @description Why, in one sentence. */
            errorText: string;
            /**
             * @description The kind of event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "error";
        };
        /** @description The data of an event of an answer, as the chat SDK has it. */
        AnswerEvent: components["schemas"]["AnswerStart"] | components["schemas"]["AnswerStartStep"] | components["schemas"]["AnswerToolInputAvailable"] | components["schemas"]["AnswerToolOutputAvailable"] | components["schemas"]["AnswerTextStart"] | components["schemas"]["AnswerTextDelta"] | components["schemas"]["AnswerTextEnd"] | components["schemas"]["AnswerSourceUrl"] | components["schemas"]["AnswerFinishStep"] | components["schemas"]["AnswerError"] | components["schemas"]["AnswerFinish"];
        /** @description The answer has ended. */
        AnswerFinish: {
            messageMetadata: components["schemas"]["AnswerMetadata"];
            /** @description The same; not to the chat SDK’s own transport. */
            threadId?: string;
            /**
             * @description The kind of event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "finish";
        };
        /** @description The search has ended, or the text. */
        AnswerFinishStep: {
            /**
             * @description The kind of event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "finish-step";
        };
        /** @description What is known of the answer. */
        AnswerMetadata: {
            /**
             * @description The answer was cut off at its longest.
             * @enum {string}
             */
            finishReason?: "length";
            /** @description The thread, for the next request. */
            threadId: string;
        };
        /** @description A page that the answer cites. */
        AnswerSourceUrl: {
            /** @description Identifier of the source. */
            sourceId: string;
            /** @description The page’s title. */
            title: string;
            /**
             * @description The kind of event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "source-url";
            /** @description The page’s address. */
            url: string;
        };
        /** @description The answer begins. */
        AnswerStart: {
            /** @description Identifier of the answer. */
            messageId: string;
            messageMetadata: components["schemas"]["AnswerMetadata"];
            /**
             * @description The kind of event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "start";
        };
        /** @description A search begins, or the text. */
        AnswerStartStep: {
            /**
             * @description The kind of event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "start-step";
        };
        /** @description A piece of the text. */
        AnswerTextDelta: {
            /** @description The piece. */
            delta: string;
            /** @description Identifier of the text. */
            id: string;
            /**
             * @description The kind of event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "text-delta";
        };
        /** @description The text is whole. */
        AnswerTextEnd: {
            /** @description Identifier of the text. */
            id: string;
            /**
             * @description The kind of event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "text-end";
        };
        /** @description A text begins. */
        AnswerTextStart: {
            /** @description Identifier of the text. */
            id: string;
            /**
             * @description The kind of event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "text-start";
        };
        /** @description The site is searched. */
        AnswerToolInputAvailable: {
            input: components["schemas"]["SearchInput"];
            /**
             * @description The server has called it.
             * @enum {boolean}
             */
            providerExecuted: true;
            /** @description Identifier of the call. */
            toolCallId: string;
            /** @description search */
            toolName: string;
            /**
             * @description The kind of event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "tool-input-available";
        };
        /** @description The search has found pages. */
        AnswerToolOutputAvailable: {
            output: components["schemas"]["SearchOutput"];
            /**
             * @description The server has called it.
             * @enum {boolean}
             */
            providerExecuted: true;
            /** @description Identifier of the call. */
            toolCallId: string;
            /**
             * @description The kind of event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "tool-output-available";
        };
        /** @description A question, and what came before it. */
        AskAssistant: {
            /** @description What the reader asks about. */
            context?: components["schemas"]["ContextItem"][] | null;
            /** @description The page that the reader is on. */
            currentPath?: string | null;
            /** @description Which pages are searched. */
            filter?: components["schemas"]["Filter"] | null;
            /** @description `anonymous`, or an identifier of the reader; a thread answers only to the one that began it. */
            fp: string & unknown;
            /** @description Sent by the chat SDK: what it asks again. */
            messageId?: unknown;
            /** @description The conversation. */
            messages: components["schemas"]["Message"][];
            /** @description The answer continues for 30 seconds without its reader, who can resume it. By default false. */
            resumable?: boolean | null;
            /** @description Pages that the answer is made from. By default 5. */
            retrievalPageSize?: number | null;
            /** @description Continues a conversation; the stream’s finish event carries it. */
            threadId?: string | null;
            /** @description Sent by the chat SDK. */
            trigger?: unknown;
        };
        /**
         * @description An image that is attached to an instruction.
         * @example {
         *       "id": "upl_01m7zj9r7fyv3ke2xg3ws5k4ct",
         *       "name": "menu.png",
         *       "mediaType": "image/png",
         *       "size": 48213
         *     }
         */
        AttachedUpload: {
            /**
             * @description What instructions name it by.
             * @example upl_01m7zj9r7fyv3ke2xg3ws5k4ct
             */
            id: string;
            mediaType: components["schemas"]["UploadType"];
            /** @description The name of its file, to show. */
            name: string;
            /** @description Bytes. */
            size: number;
        };
        /** @description What the checks found. Without findings, what they had found in this turn is fixed. */
        ChecksEvent: {
            /** @description What they found. */
            findings: components["schemas"]["Finding"][];
            /** @description The turn; the first is 1. */
            turn: number;
            /**
             * @description The kind of event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "checks";
        };
        /** @description A commit was pushed. */
        CommitEvent: {
            /** @description The branch that it is on. */
            branch: string;
            /** @description Its hash. */
            commit: string;
            /** @description The turn; the first is 1. */
            turn: number;
            /**
             * @description The kind of event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "commit";
        };
        /** @description Something that the policy refused and a person may allow. */
        Construct: {
            /** @description What it would be able to do. */
            can: string;
            /** @description The form that is allowed with it: whatever is like it. */
            form: string;
            /** @description Its line in what the agent wanted to write. */
            line: number;
            /** @description The file, from the root of the repository. */
            path: string;
            /** @description What it is. */
            what: string;
        };
        /**
         * @description What the reader asks about.
         * @example {
         *       "type": "code",
         *       "value": "docent start",
         *       "path": "/install"
         *     }
         */
        ContextItem: {
            /** @description The element of the page that contains it. */
            elementId?: string | null;
            /** @description The file or page it is from. */
            path?: string | null;
            type: components["schemas"]["ContextType"];
            /** @description The code snippet or the selected text. */
            value: string;
        };
        /**
         * @description A code snippet, or text that the reader selected.
         * @enum {string}
         */
        ContextType: "code" | "textSelection";
        /** @description All that was said in a job, its todos and its usage. */
        Conversation: {
            /** @description The conversation, in order. */
            messages: components["schemas"]["ConversationItem"][];
            /** @description What came of the job; null while it is active. */
            outcome: components["schemas"]["JobOutcome"] | null;
            /** @description The agent’s todo list. */
            todos: components["schemas"]["Todo"][];
            usage: components["schemas"]["Usage"];
            /** @description What the job waits for from a person; null if nothing. */
            waiting: components["schemas"]["Waiting"] | null;
        };
        /** @description An instruction, a text of the agent, or the end of a turn. */
        ConversationItem: components["schemas"]["InstructionItem"] | components["schemas"]["TextItem"] | components["schemas"]["OutcomeItem"];
        /** @description What the agent is to do, and how. */
        CreateJob: {
            /** @description Open the pull request as a draft. By default false. */
            asDraft?: boolean | null;
            /** @description Branch to work on; generated from the prompt if omitted. */
            branch?: string | null;
            /**
             * @description US dollars that the job may spend on the model; it stops there and waits.
             * @example 5
             */
            budget?: number | null;
            /** @description How much the model may think before it acts. */
            effort?: components["schemas"]["Effort"] | null;
            /** @description sonnet is faster and cheaper, opus more capable. */
            model?: components["schemas"]["ModelChoice"] | null;
            /** @description The instruction for the agent. */
            prompt: string & unknown;
            /** @description First make a plan, and wait until a person approves it; for a new job, without it, as the project says. */
            requirePlanApproval?: boolean | null;
            /** @description Ids of uploaded images. The agent sees them, if its model can, and can put them into the docs. */
            uploads?: string[] | null;
        };
        /**
         * @description How much the model may think before it acts.
         * @enum {string}
         */
        Effort: "low" | "medium" | "high" | "xhigh" | "max";
        /** @description The turn failed. */
        ErrorEvent: {
            /** @description Why, for people. */
            message: string;
            /** @description The turn; the first is 1. */
            turn: number;
            /**
             * @description The kind of event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "error";
        };
        /** @description An attached image. */
        EventUpload: {
            /** @description Identifier of the upload. */
            id: string;
            /** @description The name of its file. */
            name: string;
        };
        /**
         * @description Why a turn failed, for programs.
         * @enum {string}
         */
        FailureCode: "model_refused_request" | "model_refused_credentials" | "model_budget_spent" | "model_rate_limited" | "model_overloaded" | "model_unreachable" | "model_failing" | "repository_not_found" | "repository_empty" | "repository_archived" | "ref_not_found" | "credentials_refused" | "push_refused" | "repository_unreachable" | "repository_failing" | "repository_rate_limited" | "branch_moved" | "site_unreadable" | "limit_reached" | "budget_reached" | "superseded" | "internal" | "model_declined" | "policy_refused" | "workflow_ended";
        /** @description A vote on an answer or a page. */
        Feedback: {
            /** @description In the reader’s own words. */
            comment?: string | null;
            /** @description Of a page: where the reader wants an answer. */
            contact?: string | null;
            /** @description `anonymous`, or an identifier of the reader; a thread answers only to the one that began it. */
            fp?: ((string & unknown) | null) & unknown;
            /** @description Whether the answer or the page helped; null withdraws it. Without it, tags and comment go to the existing vote on an answer. */
            helpful?: boolean | null;
            /** @description The answer, from the stream’s start event. */
            messageId?: string | null;
            /** @description A page’s path on the site, in place of an answer. */
            path?: string | null;
            /** @description Of a page: how it was given. */
            source?: components["schemas"]["GivenFeedbackSource"] | null;
            /** @description What was wrong with it. */
            tags?: components["schemas"]["FeedbackTag"][] | null;
            /** @description The conversation, from the stream. */
            threadId?: string | null;
        };
        /**
         * @description What was wrong with it.
         * @enum {string}
         */
        FeedbackTag: "incorrect" | "not_what_i_asked" | "slow_or_buggy" | "style_or_tone" | "other";
        /**
         * @description Which pages are searched. A filter that the caller sets, not access control.
         * @example {
         *       "version": "2.0"
         *     }
         */
        Filter: {
            /** @description Also pages that are for one of these groups. */
            groups?: string[];
            /** @description Pages in this language. */
            language?: string;
            /** @description Pages of this version. */
            version?: string;
        };
        /**
         * @description What a check found in the docs.
         * @example {
         *       "path": "docs/install.md",
         *       "line": 12,
         *       "rule": "link",
         *       "message": "The link /quick-start leads nowhere."
         *     }
         */
        Finding: {
            /** @description Its line there; null: the whole file. */
            line: number | null;
            /** @description What is wrong, for people. */
            message: string;
            /** @description The file, from the root of the repository. */
            path: string;
            /** @description The check that found it. */
            rule: string;
        };
        /** @description The turn ended. */
        FinishEvent: {
            /**
             * @description Set if the turn was cancelled.
             * @enum {boolean}
             */
            cancelled?: true;
            code?: components["schemas"]["FailureCode"];
            haltReason: components["schemas"]["HaultReason"];
            /** @description The outcome, for people. */
            messageToUser: string;
            outcome?: components["schemas"]["JobResult"];
            /** @description The pull request; null if there is none. */
            prLink: string | null;
            status: components["schemas"]["JobStatus"];
            /** @description The turn; the first is 1. */
            turn: number;
            /**
             * @description The kind of event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "finish";
        };
        /** @description What was found on a page. */
        FoundPage: {
            /** @description Markdown of the sections that were found. */
            content: string;
            metadata: components["schemas"]["FoundPageMetadata"];
            /** @description The page’s path on the site. */
            path: string;
            /** @description Its address. */
            url: string;
        };
        /** @description What is known of the page. */
        FoundPageMetadata: {
            /** @description The page’s title. */
            title: string;
        };
        /**
         * @description Of a page: how it was given.
         * @enum {string}
         */
        GivenFeedbackSource: "contextual" | "thumbs_only" | "code_snippet" | "agent";
        /**
         * @description Why it no longer runs.
         * @enum {string}
         */
        HaultReason: "completed" | "repohost_missconfigured" | "error";
        /**
         * @description A decision for which the job waited; left out of other instructions.
         * @enum {string}
         */
        InstructionAnswer: "approve" | "decline" | "raise";
        /** @description The agent read an instruction. */
        InstructionEvent: {
            answer?: components["schemas"]["InstructionAnswer"];
            /** @description Identifier of the instruction. */
            messageId: string;
            /** @description The instruction. */
            prompt: string;
            /** @description The turn; the first is 1. */
            turn: number;
            /**
             * @description The kind of event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "instruction";
            /** @description Attached images, if any. */
            uploads?: components["schemas"]["EventUpload"][];
        };
        /** @description What a person or a script asked for. */
        InstructionItem: {
            /**
             * Format: date-time
             * @description When it was stored, in UTC.
             */
            createdAt: string;
            /** @description Identifier of the instruction. */
            id: string;
            role: components["schemas"]["Role"];
            state: components["schemas"]["InstructionState"];
            /** @description The instruction. */
            text: string;
            /** @description The turn that read it; null while none has. */
            turn: number | null;
            /**
             * @description An instruction. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "instruction";
            /** @description Attached images, if any. */
            uploads?: components["schemas"]["AttachedUpload"][];
        };
        /**
         * @description waiting: no model call has read it yet; taken: one has; dropped: the agent does not act on it.
         * @enum {string}
         */
        InstructionState: "waiting" | "taken" | "dropped";
        /**
         * @description An agent job.
         * @example {
         *       "id": "job_01kaj5zq3v8w1m4r7t2x9c6bne",
         *       "status": "completed",
         *       "source": {
         *         "repository": "https://github.com/acme/docs",
         *         "ref": "docent/add-a-page-about-webhooks-2x9c6bne"
         *       },
         *       "model": "claude-sonnet-5-5",
         *       "prLink": "https://github.com/acme/docs/pull/128",
         *       "createdAt": "2026-11-23T09:12:04.310Z",
         *       "archivedAt": null
         *     }
         */
        Job: {
            /** @description When it was archived; null before. */
            archivedAt: string | null;
            /**
             * Format: date-time
             * @description When the job was created.
             */
            createdAt: string;
            /** @description Unique identifier of the agent job; also its Temporal workflow id. */
            id: string;
            /** @description The model that answered; before that, the configured one. */
            model: string;
            /** @description Where the pull request can be seen as a site; only if a deployment or commit status names it, and not while the job is active. */
            previewUrl?: string;
            /** @description The newest pull request; null while the job is active, and if nothing was changed. */
            prLink: string | null;
            source: components["schemas"]["Source"];
            status: components["schemas"]["JobStatus"];
            waitingFor?: components["schemas"]["WaitingFor"];
        };
        /** @description The data of an event. Readers ignore types that they do not know. */
        JobEvent: components["schemas"]["StatusEvent"] | components["schemas"]["InstructionEvent"] | components["schemas"]["TextEvent"] | components["schemas"]["ToolCallEvent"] | components["schemas"]["ToolResultEvent"] | components["schemas"]["TodosEvent"] | components["schemas"]["PlanEvent"] | components["schemas"]["WaitingEvent"] | components["schemas"]["ChecksEvent"] | components["schemas"]["CommitEvent"] | components["schemas"]["PullRequestEvent"] | components["schemas"]["RetryEvent"] | components["schemas"]["RewoundEvent"] | components["schemas"]["ErrorEvent"] | components["schemas"]["FinishEvent"] | components["schemas"]["TextDeltaEvent"];
        /** @description A page of the list of jobs. */
        JobList: {
            /** @description Jobs, newest first. */
            jobs: components["schemas"]["ListedJob"][];
            /** @description Of the next page; null on the last one. */
            nextCursor: string | null;
        };
        /**
         * @description What came of the job.
         * @example {
         *       "result": "published",
         *       "sentence": "I added a page about webhooks."
         *     }
         */
        JobOutcome: {
            code?: components["schemas"]["FailureCode"];
            result: components["schemas"]["JobResult"];
            /** @description How it ended, for people. */
            sentence: string;
        };
        /**
         * @description published: in a pull request; unchanged: nothing was to be done; answered: the agent only said or asked something; declined: the policy refused its edits; failed; cancelled.
         * @enum {string}
         */
        JobResult: "published" | "unchanged" | "answered" | "declined" | "failed" | "cancelled";
        /**
         * @description active: the agent works; completed: it finished, and prLink says where; failed: it could not.
         * @enum {string}
         */
        JobStatus: "active" | "completed" | "failed";
        /** @description An agent job, and what came of it; null while it is active. */
        ListedJob: {
            /** @description When it was archived; null before. */
            archivedAt: string | null;
            /**
             * Format: date-time
             * @description When the job was created.
             */
            createdAt: string;
            /** @description Why it failed; null if it did not. */
            failureCode: components["schemas"]["FailureCode"] | null;
            /** @description Unique identifier of the agent job; also its Temporal workflow id. */
            id: string;
            /** @description The model that answered; before that, the configured one. */
            model: string;
            /** @description What came of it; null while it is active. */
            outcome: components["schemas"]["JobResult"] | null;
            /** @description Where the pull request can be seen as a site; only if a deployment or commit status names it, and not while the job is active. */
            previewUrl?: string;
            /** @description The newest pull request; null while the job is active, and if nothing was changed. */
            prLink: string | null;
            source: components["schemas"]["Source"];
            status: components["schemas"]["JobStatus"];
            waitingFor?: components["schemas"]["WaitingFor"];
        };
        /**
         * @description A message of the conversation.
         * @example {
         *       "role": "user",
         *       "parts": [
         *         {
         *           "type": "text",
         *           "text": "How do I install it?"
         *         }
         *       ]
         *     }
         */
        Message: {
            /** @description Message identifier. */
            id?: string | null;
            /** @description What was said. */
            parts: components["schemas"]["MessagePart"][];
            role: components["schemas"]["Role"];
        };
        /**
         * @description A part of a message, as the chat SDK sends it back.
         * @example {
         *       "type": "text",
         *       "text": "How do I install it?"
         *     }
         */
        MessagePart: {
            /** @description Read where it is a string. */
            text?: unknown;
            /** @description Any type is accepted; only `text` is read. */
            type: string;
        };
        /**
         * @description sonnet is faster and cheaper, opus more capable.
         * @enum {string}
         */
        ModelChoice: "sonnet" | "opus";
        /** @description An image as text. */
        NewUpload: {
            /** @description The bytes of a PNG, JPEG, GIF, WebP or SVG image as base64, 1 MiB at most. */
            data: string;
            /** @description The name of the file, to show. The type is found from the bytes. */
            name: string & unknown;
        };
        /** @description How a turn ended. */
        OutcomeItem: {
            /**
             * Format: date-time
             * @description When it was stored, in UTC.
             */
            createdAt: string;
            /** @description What the checks found last in this turn. */
            findings: components["schemas"]["Finding"][];
            /** @description The pull request; null if there is none. */
            prLink: string | null;
            status: components["schemas"]["JobStatus"];
            /** @description How the turn ended, for people: what was done, or why it failed. */
            text: string;
            /** @description The turn that it belongs to; the first is 1. */
            turn: number;
            /**
             * @description The end of a turn. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "outcome";
        };
        /** @description A page of the site. */
        Page: {
            /** @description The page as Markdown. */
            content: string;
            /** @description The page’s path on the site. */
            path: string;
        };
        /** @description What the agent would do. */
        Plan: {
            /** @description The pages, and what is to change in each. */
            changes: components["schemas"]["PlannedChange"][];
            /** @description What the agent does not know. */
            questions: string[];
            /** @description What readers will have, and how. */
            summary: string;
        };
        /** @description The agent made a plan, and a person has to approve it. */
        PlanEvent: {
            plan: components["schemas"]["Plan"];
            /** @description The model call of the turn; the first is 1. */
            step: number;
            /** @description The turn; the first is 1. */
            turn: number;
            /**
             * @description The kind of event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "plan";
        };
        /** @description What a plan does to one file. */
        PlannedChange: {
            /** @description What is to change in it. */
            change: string;
            /** @description The file, from the root of the repository. */
            path: string;
        };
        /** @description Why a request was refused (RFC 9457). */
        Problem: {
            /** @description One sentence about this problem. */
            detail: string;
            /** @description The same as detail, for clients that show one text. */
            error: string;
            /** @description Of invalid requests: each member that was not accepted. */
            errors?: components["schemas"]["ProblemField"][];
            /**
             * Format: uri
             * @description The request’s id, to quote.
             */
            instance: string;
            /** @description The HTTP status. */
            status: number;
            /** @description The kind of problem, in words. */
            title: string;
            type: components["schemas"]["ProblemType"];
        };
        /** @description A member that was not accepted. */
        ProblemField: {
            /** @description What it must be. */
            message: string;
            /** @description The member of the body. */
            path: string;
        };
        /**
         * @description The kind of problem. urn:docent:problem:invalid-request: 400, Invalid request; urn:docent:problem:unauthorized: 401, A valid API key is required; urn:docent:problem:forbidden: 403, This key may not do that; urn:docent:problem:not-found: 404, Not found; urn:docent:problem:method-not-allowed: 405, Method not allowed; urn:docent:problem:request-timeout: 408, The request took too long to arrive; urn:docent:problem:conflict: 409, Conflict with the current state; urn:docent:problem:payload-too-large: 413, The body is too large; urn:docent:problem:unsupported-media-type: 415, The body must be JSON; urn:docent:problem:idempotency-key-reused: 422, The Idempotency-Key was used with another body; urn:docent:problem:limit-exceeded: 429, Limit exceeded; urn:docent:problem:internal: 500, Something went wrong on our side; urn:docent:problem:unavailable: 503, Temporarily unavailable.
         * @enum {string}
         */
        ProblemType: "urn:docent:problem:invalid-request" | "urn:docent:problem:unauthorized" | "urn:docent:problem:forbidden" | "urn:docent:problem:not-found" | "urn:docent:problem:method-not-allowed" | "urn:docent:problem:request-timeout" | "urn:docent:problem:conflict" | "urn:docent:problem:payload-too-large" | "urn:docent:problem:unsupported-media-type" | "urn:docent:problem:idempotency-key-reused" | "urn:docent:problem:limit-exceeded" | "urn:docent:problem:internal" | "urn:docent:problem:unavailable";
        /** @description A pull request was opened or updated. */
        PullRequestEvent: {
            /** @description Its address. */
            prLink: string;
            state: components["schemas"]["PullRequestState"];
            /** @description Its title. */
            title: string;
            /** @description The turn; the first is 1. */
            turn: number;
            /**
             * @description The kind of event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "pull_request";
        };
        /**
         * @description What was done to it.
         * @enum {string}
         */
        PullRequestState: "opened" | "updated";
        /** @description The page to read. */
        ReadPage: {
            /** @description Which pages are searched. */
            filter?: components["schemas"]["Filter"] | null;
            /** @description Its path on the site. */
            path: string;
        };
        /** @description An attempt failed, and another one follows. */
        RetryEvent: {
            /** @description Greater where it is made again. */
            attempt: number;
            /** @description Why it failed. */
            reason: string;
            /** @description The model call of the turn; the first is 1. */
            step: number;
            /** @description The turn; the first is 1. */
            turn: number;
            /**
             * @description The kind of event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "retry";
        };
        /** @description Where to continue from. */
        RewindJob: {
            /** @description The step to make again: it and all that came after it are undone. */
            step: number;
            /** @description The turn that the step belongs to; the newest where it is left out. */
            turn?: number | null;
        };
        /** @description Someone rewound the job to an earlier step. */
        RewoundEvent: {
            /** @description Greater after each rewind. */
            epoch: number;
            /** @description The model call of the turn; the first is 1. */
            step: number;
            /** @description The turn; the first is 1. */
            turn: number;
            /**
             * @description The kind of event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "rewound";
        };
        /**
         * @description Who speaks.
         * @enum {string}
         */
        Role: "user" | "assistant" | "system";
        /** @description What to look for, and where. */
        Search: {
            /** @description Which pages are searched. */
            filter?: components["schemas"]["Filter"] | null;
            /** @description Pages that are found, at most. By default 10. */
            pageSize?: number | null;
            /** @description What to look for. */
            query: string;
        };
        /** @description What the search is asked. */
        SearchInput: {
            /** @description What is looked for. */
            query: string;
        };
        /** @description What the search has found. */
        SearchOutput: {
            /** @description The best first. */
            results: components["schemas"]["FoundPage"][];
        };
        /**
         * @description What was found on a page.
         * @example {
         *       "content": "Node 20.19 or later is all that is needed. …",
         *       "path": "/install",
         *       "url": "https://docs.example.com/install",
         *       "metadata": {
         *         "title": "Install › Requirements"
         *       }
         *     }
         */
        SearchResult: {
            /** @description Markdown of the sections that were found. */
            content: string;
            metadata: components["schemas"]["SearchResultMetadata"];
            /** @description The page’s path on the site. */
            path: string;
            /** @description The page’s address. */
            url: string;
        };
        /** @description What is known of the page. */
        SearchResultMetadata: {
            /** @description The page’s title and the heading of the section. */
            title: string;
        };
        /** @description A further instruction. */
        SendMessage: {
            /** @description The follow-up instruction. */
            prompt: string & unknown;
            /** @description First make a plan, and wait until a person approves it; for a new job, without it, as the project says. */
            requirePlanApproval?: boolean | null;
            /**
             * @description The turn whose question or plan this answers; 409 if the job no longer waits for it.
             * @example 1
             */
            turn?: number | null;
            /** @description Ids of uploaded images. The agent sees them, if its model can, and can put them into the docs. */
            uploads?: string[] | null;
        };
        /** @description Where the job works. */
        Source: {
            /** @description The branch the agent works on; null until it is pushed. */
            ref: string | null;
            /** @description The repository’s full URL. */
            repository: string;
        };
        /** @description The job became active. */
        StatusEvent: {
            status: components["schemas"]["JobStatus"];
            /** @description The turn; the first is 1. */
            turn: number;
            /**
             * @description The kind of event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "status";
        };
        /** @description With deltas=true: a piece of a running model call. */
        TextDeltaEvent: {
            /** @description Greater where it is made again. */
            attempt: number;
            /** @description The model call of the turn; the first is 1. */
            step: number;
            /** @description May be empty: the model thinks, or writes the input of a tool. */
            text: string;
            /** @description About how many tokens the call has brought so far. */
            tokens: number;
            /** @description The turn; the first is 1. */
            turn: number;
            /**
             * @description The kind of event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "text_delta";
        };
        /** @description The model wrote a text; it is whole. */
        TextEvent: {
            /** @description Greater where it is made again. */
            attempt: number;
            /** @description The model call of the turn; the first is 1. */
            step: number;
            /** @description The text. */
            text: string;
            /** @description The turn; the first is 1. */
            turn: number;
            /**
             * @description The kind of event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "text";
        };
        /** @description What the agent said. */
        TextItem: {
            /**
             * Format: date-time
             * @description When it was stored, in UTC.
             */
            createdAt: string;
            /** @description Identifier of the text. */
            id: string;
            /** @description The model call of the turn; the first is 1. */
            step: number;
            /** @description What the agent said. */
            text: string;
            /** @description The turn that it belongs to; the first is 1. */
            turn: number;
            /**
             * @description A text of the agent. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "text";
        };
        /**
         * @description An item of the agent’s todo list.
         * @example {
         *       "content": "Add the page to the navigation",
         *       "status": "pending",
         *       "priority": "high",
         *       "id": "2"
         *     }
         */
        Todo: {
            /** @description What is to be done. */
            content: string;
            /** @description Its identifier in this job. */
            id: string;
            priority: components["schemas"]["TodoPriority"];
            status: components["schemas"]["TodoStatus"];
        };
        /**
         * @description How much it matters.
         * @enum {string}
         */
        TodoPriority: "high" | "medium" | "low";
        /** @description The todo list changed. */
        TodosEvent: {
            /** @description All of it. */
            todos: components["schemas"]["Todo"][];
            /**
             * @description The kind of event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "todos";
        };
        /**
         * @description How far it is.
         * @enum {string}
         */
        TodoStatus: "pending" | "in_progress" | "completed" | "cancelled";
        /** @description The model called a tool. */
        ToolCallEvent: {
            /** @description What it was called with. */
            args: {
                [key: string]: unknown;
            };
            /** @description The model call of the turn; the first is 1. */
            step: number;
            /** @description Identifier of the call. */
            toolCallId: string;
            /** @description The tool. */
            toolName: string;
            /** @description The turn; the first is 1. */
            turn: number;
            /**
             * @description The kind of event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "tool_call";
        };
        /** @description A tool returned. */
        ToolResultEvent: {
            /**
             * @description Set if the call changed files.
             * @enum {boolean}
             */
            changed?: true;
            /** @description Whether it failed. */
            isError: boolean;
            /** @description Rules of the policy that refused the call. */
            refusedBy?: string[];
            /** @description The model call of the turn; the first is 1. */
            step: number;
            /** @description What it returned, in short. */
            summary: string;
            /** @description Identifier of the call. */
            toolCallId: string;
            /** @description The tool. */
            toolName: string;
            /** @description The turn; the first is 1. */
            turn: number;
            /**
             * @description The kind of event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "tool_result";
        };
        /** @description An image for instructions. */
        Upload: {
            /**
             * Format: date-time
             * @description When it was first uploaded.
             */
            createdAt: string;
            /**
             * @description What instructions name it by.
             * @example upl_01m7zj9r7fyv3ke2xg3ws5k4ct
             */
            id: string;
            mediaType: components["schemas"]["UploadType"];
            /** @description The name of its file, to show. */
            name: string;
            /** @description Bytes. */
            size: number;
        };
        /**
         * @description Found from the bytes.
         * @enum {string}
         */
        UploadType: "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "image/svg+xml";
        /** @description Tokens and cost of the job’s model calls. */
        Usage: {
            /** @description Share of the input tokens that was read from the cache, 0 to 1; null if the endpoint does not report it, or before the first call. */
            cachedShare: number | null;
            /** @description Input tokens that were read from the cache. */
            cacheReadTokens: number;
            /** @description Input tokens that were written to the cache. */
            cacheWriteTokens: number;
            /** @description Calls that are not in the cost: of models without a price, or never reported. */
            callsOfUnknownCost: number;
            /** @description Those among them whose model has no price in MODEL_PRICES. */
            callsWithoutPrice: number;
            /** @description US dollars of the calls whose cost is known; null if none is: that is not 0. With callsOfUnknownCost above 0 it is a part. */
            costUsd: number | null;
            /** @description Input tokens, without those of the cache. */
            inputTokens: number;
            /** @description Output tokens. */
            outputTokens: number;
        };
        /**
         * @description What an idle job waits for.
         * @example {
         *       "for": "answer",
         *       "turn": 1,
         *       "question": "Which page do you mean?"
         *     }
         */
        Waiting: {
            /** @description The budget that is reached. */
            budgetUsd?: number;
            /** @description What the policy refused. */
            constructs?: components["schemas"]["Construct"][];
            for: components["schemas"]["WaitingFor"];
            /** @description The answers to choose from. */
            options?: string[];
            plan?: components["schemas"]["Plan"];
            /** @description What the agent asks. */
            question?: string;
            /** @description The turn that it belongs to; an answer may name it. */
            turn: number;
        };
        /** @description The idle job waits for a person. */
        WaitingEvent: {
            state: components["schemas"]["WaitingState"];
            /** @description The turn; the first is 1. */
            turn: number;
            /**
             * @description The kind of event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "waiting";
            waitingFor: components["schemas"]["WaitingFor"];
        };
        /**
         * @description What the job waits for from a person.
         * @enum {string}
         */
        WaitingFor: "approval" | "answer" | "budget";
        /**
         * @description began: it does from now on; reminded: it still does; ended: nobody came.
         * @enum {string}
         */
        WaitingState: "began" | "reminded" | "ended";
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AllowedFor = components['schemas']['AllowedFor'];
export type AnswerError = components['schemas']['AnswerError'];
export type AnswerEvent = components['schemas']['AnswerEvent'];
export type AnswerFinish = components['schemas']['AnswerFinish'];
export type AnswerFinishStep = components['schemas']['AnswerFinishStep'];
export type AnswerMetadata = components['schemas']['AnswerMetadata'];
export type AnswerSourceUrl = components['schemas']['AnswerSourceUrl'];
export type AnswerStart = components['schemas']['AnswerStart'];
export type AnswerStartStep = components['schemas']['AnswerStartStep'];
export type AnswerTextDelta = components['schemas']['AnswerTextDelta'];
export type AnswerTextEnd = components['schemas']['AnswerTextEnd'];
export type AnswerTextStart = components['schemas']['AnswerTextStart'];
export type AnswerToolInputAvailable = components['schemas']['AnswerToolInputAvailable'];
export type AnswerToolOutputAvailable = components['schemas']['AnswerToolOutputAvailable'];
export type AskAssistant = components['schemas']['AskAssistant'];
export type AttachedUpload = components['schemas']['AttachedUpload'];
export type ChecksEvent = components['schemas']['ChecksEvent'];
export type CommitEvent = components['schemas']['CommitEvent'];
export type Construct = components['schemas']['Construct'];
export type ContextItem = components['schemas']['ContextItem'];
export type ContextType = components['schemas']['ContextType'];
export type Conversation = components['schemas']['Conversation'];
export type ConversationItem = components['schemas']['ConversationItem'];
export type CreateJob = components['schemas']['CreateJob'];
export type Effort = components['schemas']['Effort'];
export type ErrorEvent = components['schemas']['ErrorEvent'];
export type EventUpload = components['schemas']['EventUpload'];
export type FailureCode = components['schemas']['FailureCode'];
export type Feedback = components['schemas']['Feedback'];
export type FeedbackTag = components['schemas']['FeedbackTag'];
export type Filter = components['schemas']['Filter'];
export type Finding = components['schemas']['Finding'];
export type FinishEvent = components['schemas']['FinishEvent'];
export type FoundPage = components['schemas']['FoundPage'];
export type FoundPageMetadata = components['schemas']['FoundPageMetadata'];
export type GivenFeedbackSource = components['schemas']['GivenFeedbackSource'];
export type HaultReason = components['schemas']['HaultReason'];
export type InstructionAnswer = components['schemas']['InstructionAnswer'];
export type InstructionEvent = components['schemas']['InstructionEvent'];
export type InstructionItem = components['schemas']['InstructionItem'];
export type InstructionState = components['schemas']['InstructionState'];
export type Job = components['schemas']['Job'];
export type JobEvent = components['schemas']['JobEvent'];
export type JobList = components['schemas']['JobList'];
export type JobOutcome = components['schemas']['JobOutcome'];
export type JobResult = components['schemas']['JobResult'];
export type JobStatus = components['schemas']['JobStatus'];
export type ListedJob = components['schemas']['ListedJob'];
export type Message = components['schemas']['Message'];
export type MessagePart = components['schemas']['MessagePart'];
export type ModelChoice = components['schemas']['ModelChoice'];
export type NewUpload = components['schemas']['NewUpload'];
export type OutcomeItem = components['schemas']['OutcomeItem'];
export type Page = components['schemas']['Page'];
export type Plan = components['schemas']['Plan'];
export type PlanEvent = components['schemas']['PlanEvent'];
export type PlannedChange = components['schemas']['PlannedChange'];
export type Problem = components['schemas']['Problem'];
export type ProblemField = components['schemas']['ProblemField'];
export type ProblemType = components['schemas']['ProblemType'];
export type PullRequestEvent = components['schemas']['PullRequestEvent'];
export type PullRequestState = components['schemas']['PullRequestState'];
export type ReadPage = components['schemas']['ReadPage'];
export type RetryEvent = components['schemas']['RetryEvent'];
export type RewindJob = components['schemas']['RewindJob'];
export type RewoundEvent = components['schemas']['RewoundEvent'];
export type Role = components['schemas']['Role'];
export type Search = components['schemas']['Search'];
export type SearchInput = components['schemas']['SearchInput'];
export type SearchOutput = components['schemas']['SearchOutput'];
export type SearchResult = components['schemas']['SearchResult'];
export type SearchResultMetadata = components['schemas']['SearchResultMetadata'];
export type SendMessage = components['schemas']['SendMessage'];
export type Source = components['schemas']['Source'];
export type StatusEvent = components['schemas']['StatusEvent'];
export type TextDeltaEvent = components['schemas']['TextDeltaEvent'];
export type TextEvent = components['schemas']['TextEvent'];
export type TextItem = components['schemas']['TextItem'];
export type Todo = components['schemas']['Todo'];
export type TodoPriority = components['schemas']['TodoPriority'];
export type TodosEvent = components['schemas']['TodosEvent'];
export type TodoStatus = components['schemas']['TodoStatus'];
export type ToolCallEvent = components['schemas']['ToolCallEvent'];
export type ToolResultEvent = components['schemas']['ToolResultEvent'];
export type Upload = components['schemas']['Upload'];
export type UploadType = components['schemas']['UploadType'];
export type Usage = components['schemas']['Usage'];
export type Waiting = components['schemas']['Waiting'];
export type WaitingEvent = components['schemas']['WaitingEvent'];
export type WaitingFor = components['schemas']['WaitingFor'];
export type WaitingState = components['schemas']['WaitingState'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
