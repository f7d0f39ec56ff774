import { loadRunMessages } from '@parley/engine/journal'
import { toTestFile, type TestFile } from '@parley/runs-api'
import { Problem } from '../../problem/problem.ts'
import { defineRunsRoute, recordOf } from './runs-route.ts'

/** A run as a test. */
export const AS_TEST_ROUTES = [
  defineRunsRoute({
    method: 'get',
    path: '/runs/{id}/as-test',
    access: 'viewer',
    summary: 'Get a Vitest file that repeats an ended run with a scripted model.',
    answer: 'TestFile',
    handle: async (request): Promise<TestFile> => {
      const { runId, status } = await recordOf(request)
      if (status === 'running' || status === 'suspended')
        throw new Problem(409, 'CONFLICT', { message: 'The run has not ended, so a test cannot repeat it yet.' })
      const { store } = request.server
      const [entries, messages] = await Promise.all([store.read(runId), loadRunMessages(store, runId)])
      const history = messages.filter(located => located.runId !== runId || located.seq === 1)
      return toTestFile({ runId, entries, history: history.map(({ message }) => message) })
    },
  }),
]
