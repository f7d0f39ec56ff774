import type { UserPart } from '@parley/core'
import type { StartedRun } from '@parley/runs-api'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { runsClient } from '../../client/studio-client.ts'

/** A message of the user, and where it goes. */
export interface OutgoingMessage {
  readonly input?: readonly UserPart[] | undefined
  /** The session that the message continues. Absent: a new one. */
  readonly sessionId?: string | undefined
  /** The message follows this entry of a run, in place of what followed it then. Without input, the model answers again. */
  readonly fork?: { readonly runId: string; readonly at: number } | undefined
}

/** Starts a run for a message, and shows it. */
export function useSend(agent: string) {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: ({ input, sessionId, fork }: OutgoingMessage): Promise<StartedRun> =>
      fork === undefined
        ? runsClient().start({ agent, input: input ?? [], sessionId })
        : runsClient().fork(fork.runId, { at: fork.at, input, sessionId, agent }),
    onSuccess: ({ runId }) => navigate({ to: '/play', search: { agent, run: runId } }),
  })
}
