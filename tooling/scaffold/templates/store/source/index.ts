export { openOwnPartStore } from './open-own-part-store.ts'
