export { ownPart } from './own-part.ts'
