import type { ModelCall, ModelEvent } from '@parley/core'

/** Sends a request to a model. */
export type Send = (call: Pick<ModelCall, 'request' | 'signal'>) => AsyncIterable<ModelEvent>
