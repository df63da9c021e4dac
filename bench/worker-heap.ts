// The heap of a page's worker. Playwright has no session for workers: messages go through that of the page.
import type { CDPSession } from 'playwright-core'

interface HeapUsage {
  readonly usedSize: number
  readonly totalSize: number
  /** Buffers of the worker, outside its heap. */
  readonly backingStorageSize: number
}

/** Before (`total`) and after (`live`) a full garbage collection, in megabytes. */
export interface WorkerHeap {
  readonly total: number
  readonly live: number
  readonly buffers: number
}

/** Collects the worker's garbage: memory is measured before. Fails when the page has no worker. */
export async function measureWorkerHeap(session: CDPSession): Promise<WorkerHeap> {
  const workers: string[] = []
  session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    if (targetInfo.type === 'worker') workers.push(sessionId)
  })
  const answers = new Map<number, (result: unknown) => void>()
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { id, result } = JSON.parse(message) as { readonly id: number; readonly result: unknown }
    answers.get(id)?.(result)
  })
  // Attaches to workers that run already before it answers.
  await session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false })
  const [sessionId] = workers
  if (sessionId === undefined) throw new Error('The page has no worker')
  let lastId = 0
  const ask = async (method: string) => {
    const id = ++lastId
    const answer = new Promise<unknown>((resolve) => answers.set(id, resolve))
    await session.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method }) })
    return (await answer) as HeapUsage
  }
  const before = await ask('Runtime.getHeapUsage')
  await ask('HeapProfiler.collectGarbage')
  const after = await ask('Runtime.getHeapUsage')
  return { total: before.totalSize / 2 ** 20, live: after.usedSize / 2 ** 20, buffers: before.backingStorageSize / 2 ** 20 }
}
