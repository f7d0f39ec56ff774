import * as z from 'zod'
import { milliseconds } from './scalars.ts'

export const retrySchema = z.strictObject({
  maxRetries: z.int().min(0).optional().describe('Tries after the first one. Default: 2.'),
  maxWaitMs: milliseconds.optional().describe('The longest wait a server may ask for. Default: 60000.'),
  initialDelayMs: milliseconds.optional().describe('The wait after the first failure. Default: 500.'),
  backoff: z.enum(['exponential', 'linear']).optional().describe('How waits grow. Default: exponential.'),
  factor: z.number().min(1).optional().describe('How many times as long each wait is. Default: 2.'),
  maxDelayMs: milliseconds.optional().describe('The longest of these waits. Default: 8000.'),
  jitter: z.number().min(0).max(1).optional().describe('The share that chance takes off. Default: 0.25.'),
})
