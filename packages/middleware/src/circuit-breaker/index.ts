export { createCircuitBreaker, type CircuitBreakerOptions, type CircuitChange } from './create-circuit-breaker.ts'
