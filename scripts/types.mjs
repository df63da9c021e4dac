// Writes the types of `rollcall/testing`: its contract and what that names, and nothing of what is behind it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './set-up.mjs'

const flags =
  '--ignoreConfig --declaration --emitDeclarationOnly --rootDir src --target es2023 --module nodenext --types node --strict --skipLibCheck --allowImportingTsExtensions'

const entry = `export * from './types/simulate/cluster-api.js'
import type { CreateClusterOptions, TestCluster } from './types/simulate/cluster-api.js'
/** A cluster in virtual time, with its controllers, its scheduler and its nodes. */
export declare function createCluster(options?: CreateClusterOptions): Promise<TestCluster>
`

export async function writeTypes(outdir) {
  const types = join(outdir, 'types')
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const args = [compiler, 'src/simulate/cluster-api.ts', ...flags.split(' '), '--outDir', types]
  const [status] = await once(spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }), 'close')
  if (status !== 0) throw new Error(`Cannot write the types of rollcall/testing: the compiler ended with ${status}`)
  for (const name of readdirSync(types, { recursive: true }).filter((one) => one.endsWith('.d.ts'))) {
    const path = join(types, name)
    // The compiler leaves the ends of names as they are; those of declarations are looked for under .js.
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"))
  }
  writeFileSync(join(outdir, 'testing.d.ts'), entry)
}
