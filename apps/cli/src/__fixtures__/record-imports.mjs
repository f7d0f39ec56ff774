// Appends the address of every module that the process loads to the file in IMPORTS.
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

registerHooks({
  load(url, context, next) {
    appendFileSync(process.env.IMPORTS, `${url}\n`)
    return next(url, context)
  },
})
