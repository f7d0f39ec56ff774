import { afterAll } from 'vitest'
import { dropDatabases } from './open-schema.ts'

// Files of one worker share their modules, so a hook in the module itself would run for the first of them only.
afterAll(dropDatabases)
