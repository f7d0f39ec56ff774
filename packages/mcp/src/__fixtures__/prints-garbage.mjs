import { send, serve, tool } from './serve.mjs'

process.stdout.write('Listening!\n\n# a comment\n{"level":"info"}\n[1,2]\nnull\n{broken\n')
serve({
  tools: () => {
    process.stdout.write('listing tools…\r\n')
    // A Windows line end, and two messages in one line as revision 2025-03-26 allows.
    process.stdout.write('{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"crlf"}}\r\n')
    process.stdout.write('[{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"batch"}}]\n')
    send({ id: '2', result: { tools: [tool('wrong_id_type')] } })
    return [tool('fine')]
  },
})
