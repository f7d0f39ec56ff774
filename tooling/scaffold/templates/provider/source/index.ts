export { createOwnPart, type OwnPartEvent } from './create-own-part.ts'
