// What `rollcall explain` prints about an object of a real cluster.
import type { RealControlPlane } from './real-control-plane.ts'
import { run, until } from './running-command.ts'

export async function explained({ kubeconfig }: RealControlPlane, object: string, ...flags: readonly string[]): Promise<string> {
  const command = run(['explain', object, '--kubeconfig', kubeconfig, ...flags])
  const code = await command.ended
  if (code !== 0) throw new Error(`rollcall explain ${object} ended with ${code}: ${command.output()}`)
  return command.output()
}

/** The first line, once it matches. */
export async function explainedAs(plane: RealControlPlane, object: string, wanted: RegExp, ...flags: readonly string[]): Promise<string> {
  let last = ''
  const read = async () => {
    last = (await explained(plane, object, ...flags)).split('\n')[0]!
    return wanted.test(last) && last
  }
  return until(`the first line about ${object} matches ${wanted}`, read, 60_000).catch((error: Error) => {
    throw new Error(`${error.message}; it is: ${last}`)
  })
}
