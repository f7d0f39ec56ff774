export { stripThinkTags, type StripThinkTagsOptions } from './strip-think-tags.ts'
