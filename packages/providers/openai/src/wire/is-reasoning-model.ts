/** Whether an id at OpenAI is a model that reasons before it answers. */
export function isReasoningModel(id: string): boolean {
  return /^(ft:)?(o\d|gpt-5(?!.*-chat))/.test(id)
}
