export { ownPart, type OwnPartOptions } from './own-part.ts'
