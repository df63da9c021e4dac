// kubectl, with the exit code and everything that it prints.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

export const kubectlOf =
  (kubeconfig: string) =>
  async (...args: readonly string[]) => {
    const child = spawn('kubectl', ['--kubeconfig', kubeconfig, ...args])
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
    const [code] = (await once(child, 'close')) as [number]
    return { code, text }
  }
