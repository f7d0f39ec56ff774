import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface TcpRelay extends AsyncDisposable {
  /** URL of the server through the relay. */
  readonly url: string
  /** Loses the response to the next statement that contains this text: the server executes it, then the relay closes the connection. */
  loseAnswerTo(words: string): void
  /** Number of lost responses. */
  readonly lost: number
}

/** Starts a TCP relay between a store and its server. */
export async function createTcpRelay(url: string): Promise<TcpRelay> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let words: string | undefined
  let lost = 0
  const server = createServer(near => {
    const far = connect(Number(target.port), target.hostname)
    let losing = false
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', chunk => {
      if (words !== undefined && chunk.toString('latin1').includes(words)) {
        losing = true
        words = undefined
      }
      far.write(chunk)
    })
    far.on('data', chunk => {
      if (!losing) near.write(chunk)
      else if (chunk.includes(Buffer.from([0x5a, 0, 0, 0, 5]))) {
        // The server is ready for the next statement, so this statement is complete.
        lost += 1
        near.destroy()
      }
    })
  })
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const through = new URL(url)
  through.hostname = '127.0.0.1'
  through.port = String((server.address() as AddressInfo).port)
  return {
    url: through.href,
    loseAnswerTo: next => {
      words = next
    },
    get lost() {
      return lost
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => {
        server.close(resolve)
      })
    },
  }
}
