import { spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { hasProc, type ThreadActivity, ThreadObserver } from './thread-activity.ts'

/** What the process does when its threads sleep. */
async function asleep(command: string, args: readonly string[]): Promise<ThreadActivity> {
  const child = spawn(command, args, { stdio: 'ignore', detached: true })
  try {
    const observer = new ThreadObserver(child.pid!)
    for (;;) {
      await wait(20)
      const activity = observer.observe()
      // The shell sleeps at once; what it starts runs later.
      if (activity.isAsleep && !activity.hasRun && activity.dueMs! > 100_000) return activity
    }
  } finally {
    process.kill(-child.pid!, 'SIGKILL')
  }
}

const node = (program: string) => asleep(process.execPath, ['-e', program])

it.skipIf(!hasProc)('reads when a timer of Node.js ends', async () => {
  const { dueMs } = await node('setTimeout(() => {}, 1_000_000)')
  expect(dueMs).toBeGreaterThan(800_000)
  expect(dueMs).toBeLessThanOrEqual(1_000_000)
})

it.skipIf(!hasProc)('reads when a child of the shell goes on', async () => {
  const { dueMs } = await asleep('/bin/sh', ['-c', 'sleep 1000; true'])
  expect(dueMs).toBeGreaterThan(800_000)
  expect(dueMs).toBeLessThanOrEqual(1_000_000)
})

it.skipIf(!hasProc)('has no timer where a program waits for its input or for a connection', async () => {
  const { dueMs } = await node("require('node:net').createServer().listen(0, '127.0.0.1')")
  expect(dueMs).toBe(Number.POSITIVE_INFINITY)
})

it.skipIf(!hasProc)('reports a thread that has run since', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1)'], { stdio: 'ignore' })
  try {
    const observer = new ThreadObserver(child.pid!)
    observer.observe()
    for (let times = 0; times < 3; ) {
      await wait(50)
      if (observer.observe().hasRun) times++
    }
  } finally {
    child.kill('SIGKILL')
  }
})
