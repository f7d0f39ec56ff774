const PHRASES = [
  'context_length_exceeded',
  'maximum context length',
  'exceeds the context window',
  'context window exceeds',
  'prompt is too long',
  'prompt too long',
  'input is too long',
  'input token count',
  'exceed_context_size',
  'exceeds the available context size',
  'exceeds the context length',
  'exceeded max context length',
  'too_many_prompt_tokens',
  'maximum prompt length is',
  'reduce the length of the messages',
  'greater than the context length',
  'exceeds the limit of',
  'exceeded model token limit',
  'model_context_window_exceeded',
]
const TOO_LARGE_FOR_MODEL = /too large for model with \d+ maximum context/

/** Whether the text of an error says that the conversation is too long for the model. @param words Message, type and code together. */
export function isContextLengthText(words: string): boolean {
  const lower = words.toLowerCase()
  return PHRASES.some(phrase => lower.includes(phrase)) || TOO_LARGE_FOR_MODEL.test(lower)
}
