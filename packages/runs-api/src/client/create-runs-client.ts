import { checkOptions, type OptionKinds } from '@parley/core'
import { createSender, type Sender } from './create-sender.ts'
import { followEvents } from './follow-events.ts'
import type { RunsClient, RunsClientOptions } from './runs-client.ts'

const OPTIONS: OptionKinds<RunsClientOptions> = {
  baseUrl: 'string!',
  key: 'string',
  fetch: 'function',
  reconnectDelayMs: 'number',
}

/**
 * Creates a client of the Runs API, for browsers and servers.
 * @throws ParleyError `config-invalid` if an option is unknown or has a wrong type.
 */
export function createRunsClient(options: RunsClientOptions): RunsClient {
  checkOptions('createRunsClient', options, OPTIONS)
  const { reconnectDelayMs = 500 } = options
  const sender = createSender(options)
  return {
    ...reads(sender),
    ...verbs(sender),
    ...reports(sender),
    events: (runId, given = {}) => ({
      [Symbol.asyncIterator]: () => followEvents(sender, runId, { ...given, reconnectDelayMs })[Symbol.asyncIterator](),
    }),
  }
}

const at = encodeURIComponent

type Reads =
  | 'info'
  | 'runs'
  | 'run'
  | 'entries'
  | 'request'
  | 'tree'
  | 'transcript'
  | 'asTest'
  | 'agents'
  | 'tools'
  | 'workflows'
type Verbs =
  | 'start'
  | 'planFork'
  | 'fork'
  | 'rerun'
  | 'steer'
  | 'followUp'
  | 'cancel'
  | 'resume'
  | 'compact'
  | 'submit'
  | 'prune'

function reads({ get }: Sender): Pick<RunsClient, Reads> {
  return {
    info: given => get('/runs-api', given),
    runs: given => get('/runs', given),
    run: (runId, given) => get(`/runs/${at(runId)}`, given),
    entries: (runId, given) => get(`/runs/${at(runId)}/entries`, given),
    request: (runId, turn, given) => get(`/runs/${at(runId)}/requests/${turn}`, given),
    tree: (runId, given) => get(`/runs/${at(runId)}/tree`, given),
    transcript: (runId, given) => get(`/runs/${at(runId)}/transcript`, given),
    asTest: (runId, given) => get(`/runs/${at(runId)}/as-test`, given),
    agents: given => get('/agents', given),
    tools: given => get('/tools', given),
    workflows: given => get('/workflows', given),
  }
}

function verbs({ post }: Sender): Pick<RunsClient, Verbs> {
  const pathOf = (runId: string, verb: string) => `/runs/${at(runId)}/${verb}`
  return {
    start: (request, given) => post('/runs', request, given),
    planFork: (runId, request, given) => post(pathOf(runId, 'fork/plan'), request, given),
    fork: (runId, request, given) => post(pathOf(runId, 'fork'), request, given),
    rerun: (runId, request = {}, given) => post(pathOf(runId, 'rerun'), request, given),
    steer: (runId, request, given) => post(pathOf(runId, 'steer'), request, given),
    followUp: (runId, request, given) => post(pathOf(runId, 'follow-up'), request, given),
    cancel: (runId, request = {}, given) => post(pathOf(runId, 'cancel'), request, given),
    resume: (runId, given) => post(pathOf(runId, 'resume'), {}, given),
    compact: (runId, request = {}, given) => post(pathOf(runId, 'compact'), request, given),
    submit: (runId, request, given) => post(pathOf(runId, 'results'), request, given),
    prune: (runId, given) => post(pathOf(runId, 'prune'), {}, given),
  }
}

function reports({ get, post }: Sender): Omit<RunsClient, Reads | Verbs | 'events'> {
  return {
    approvals: given => get('/approvals', given),
    decide: (approvalId, request, given) => post(`/approvals/${at(approvalId)}`, request, given),
    usage: given => get('/usage', given),
    workers: given => get('/workers', given),
    health: given => get('/runs-api/health', given),
    deadLetters: given => get('/dead-letters', given),
    redriveDeadLetter: (id, given) => post(`/dead-letters/${at(id)}/redrive`, {}, given),
    dropDeadLetter: (id, given) => post(`/dead-letters/${at(id)}/drop`, {}, given),
    unknownCalls: given => get('/unknown-calls', given),
    recordOutcome: ({ runId, callId }, request, given) =>
      post(`/unknown-calls/${at(runId)}/${at(callId)}`, request, given),
  }
}
