import { QueryClient } from '@tanstack/react-query'
import { statusOf } from './status-of.ts'

/** Keeps what the server has answered. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2000,
      // The server did not answer, or is overloaded.
      retry: (failures, error) => failures < 2 && [0, 503].includes(statusOf(error) ?? -1),
      retryDelay: 1000,
    },
  },
})
