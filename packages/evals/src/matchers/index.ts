export { parleyMatchers, type ParleyMatchers, type RunLike } from './parley-matchers.ts'
