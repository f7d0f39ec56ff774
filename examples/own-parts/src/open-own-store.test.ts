// #region contract
import { describeStoreContract } from '@parley/testing/contract'
import { openOwnStore } from './open-own-store.ts'

describeStoreContract('openOwnStore', openOwnStore)
// #endregion
