import type { RunPorts } from '../run-context/driven-run.ts'
import { RunDelegations } from '../steps/delegation/run-delegations.ts'
import { InboxReader } from '../steps/input/inbox-reader.ts'
import { pullSteering } from '../steps/input/pull-steering.ts'

/** The steps that a run context reaches through its ports. */
export const RUN_PORTS: RunPorts = {
  delegationsOf: run => new RunDelegations(run),
  inboxOf: (run, inbox) => new InboxReader(run, inbox),
  pullSteering,
}
