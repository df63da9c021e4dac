// Compares responses with those recorded from a real Kubernetes. The runner and the recordings are not part of the project:
// ROLLCALL_PARITY is the path of their directory.
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kubernetes } from '../../src/api/machinery/kubernetes-version.ts'
import { type RunningCluster, startCluster } from './running-cluster.ts'

const folder = process.env['ROLLCALL_PARITY']
const allPassed = /(^|\n)[1-9]\d* passed, 0 failed\n$/

describe.skipIf(folder === undefined)('parity with Kubernetes', () => {
  let cluster: RunningCluster
  // Kubernetes has no such conditions.
  beforeAll(async () => {
    cluster = await startCluster(['--memory', '--nodes', '0', '--feature-gates=ExtendedWorkloadConditions=false'])
  }, 60_000)
  afterAll(() => cluster?.stop())

  for (const file of folder === undefined
    ? ['the recorded responses']
    : readdirSync(join(folder, 'cases')).filter((name) => name.endsWith('.mjs')))
    it(file, { timeout: 300_000 }, async () => {
      const recording = `kubernetes-${kubernetes.version.slice(1)}.json`
      const only = file.replace('.mjs', '')
      const args = ['run.mjs', '--server', cluster.url, '--token', cluster.token, '--against', recording, '--only', only]
      const run = () =>
        new Promise<string>((resolve, reject) => {
          const child = spawn(process.execPath, args, { cwd: folder })
          let text = ''
          child.stdout.on('data', (chunk) => {
            text += chunk
          })
          child.stderr.on('data', (chunk) => {
            text += chunk
          })
          child.on('error', reject)
          child.on('close', () => resolve(text))
        })
      // The order of managedFields depends on whether two requests fall into the same second, on a real Kubernetes too.
      let output = await run()
      for (let again = 0; again < 2 && !allPassed.test(output); again++) output = await run()
      expect(output).toMatch(allPassed)
    })
})
