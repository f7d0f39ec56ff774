import * as z from 'zod'
import { milliseconds } from './scalars.ts'

export const retrySchema = z.strictObject({
  maxRetries: z.int().min(0).optional().describe('Number of retries after the first attempt. Default: 2.'),
  maxWaitMs: milliseconds.optional().describe('Longest wait that a server may request. Default: 60000.'),
  initialDelayMs: milliseconds.optional().describe('Wait after the first failure. Default: 500.'),
  backoff: z.enum(['exponential', 'linear']).optional().describe('How the waits grow. Default: exponential.'),
  factor: z.number().min(1).optional().describe('Each wait is this many times as long as the one before. Default: 2.'),
  maxDelayMs: milliseconds.optional().describe('Longest of these waits. Default: 8000.'),
  jitter: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Random share that is subtracted from each wait. Default: 0.25.'),
})
