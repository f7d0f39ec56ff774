import { describeStoreContract } from '@parley/testing/contract'
import { openOwnPartStore } from './open-own-part-store.ts'

describeStoreContract('openOwnPartStore', openOwnPartStore)
