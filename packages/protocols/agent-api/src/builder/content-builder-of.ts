import type { ContentBuilder } from './content-builder.ts'
import type { ContentType } from '../schema/agent-content.ts'

interface Setters {
  readonly text: 'addTextDelta' | 'addDelta' | 'setText'
  readonly data: 'addDataDelta' | 'setData' | 'updateData'
  readonly image: 'setImageUrl'
  readonly audio: 'setAudio'
  readonly file: 'setFile'
  readonly refusal: 'setRefusal'
  readonly video: 'setVideoUrl'
}

/** A `ContentBuilder` with the methods that make sense for its type. */
export type ContentBuilderOf<TType extends ContentType> = Pick<
  ContentBuilder,
  'type' | 'complete' | 'completeWith' | 'getContentData' | Setters[TType]
>
