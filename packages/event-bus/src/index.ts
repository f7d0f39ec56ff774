export { createEventBus, type EventBusOptions } from './create-event-bus.ts'
export type {
  DeadLetters,
  Delivery,
  EventBus,
  EventBusStats,
  EventFilter,
  EventHandler,
  RedriveQuery,
  RedriveReport,
  SubscriberStats,
  SubscribeOptions,
  Subscription,
} from './event-bus.ts'
