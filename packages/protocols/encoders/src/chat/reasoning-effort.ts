import type { ModelSettings } from '@parley/core'
import * as z from 'zod'

/** How much the model thinks, in the words of the OpenAI APIs. */
export const effortSchema = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh'])

/** Turns the requested effort into a model setting. */
export function toThinking(effort: z.infer<typeof effortSchema> | null | undefined): ModelSettings {
  if (effort == null) return {}
  if (effort === 'none') return { thinking: 'off' }
  return { thinking: effort === 'xhigh' ? 'high' : effort }
}
