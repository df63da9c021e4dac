// Writes the types of the libraries: their contracts and what those name, and nothing of what is behind them. They need no
// other package.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './set-up.mjs'

const flags =
  '--ignoreConfig --declaration --emitDeclarationOnly --rootDir src --target es2023 --lib es2023,esnext.disposable --module nodenext --types node --strict --skipLibCheck --allowImportingTsExtensions'

/** What the compiler reads. Their types are whole; the functions behind them are declared below. */
const contracts = ['cluster-api', 'server-api', 'simulate-api', 'matcher-api']

/** The declarations of package.json's exports. Disposable objects are named for projects with an older `lib`. */
const entries = {
  'testing.d.ts': `/// <reference lib="esnext.disposable" />
export type * from './types/simulate/library/cluster-api.js'
export type * from './types/simulate/library/server-api.js'
export type * from './types/simulate/library/matcher-api.js'
import type { CreateClusterOptions, TestCluster } from './types/simulate/library/cluster-api.js'
import type { Matchers } from './types/simulate/library/matcher-api.js'
import type { StartServerOptions, TestServer } from './types/simulate/library/server-api.js'
/** A cluster in virtual time, with its controllers, its scheduler and its nodes, inside the process and without a port. */
export declare function createCluster(options?: CreateClusterOptions): Promise<TestCluster>
/** A cluster with a real port, for clients and controllers in any language. */
export declare function startServer(options?: StartServerOptions): Promise<TestServer>
/** For \`expect.extend(matchers)\` of vitest and jest. */
export declare const matchers: Matchers
`,
  'testing-vitest.d.ts': `import 'vitest'
import type { ClusterMatchers } from './types/simulate/library/matcher-api.js'
declare module 'vitest' {
  interface Matchers<T = any> extends ClusterMatchers<void> {}
}
`,
  'testing-node.d.ts': `/// <reference lib="esnext.disposable" />
import type { ClusterMatchers, MatchedCluster } from './types/simulate/library/matcher-api.js'
/** \`await expect(cluster).toKeepCap('deployment/web')\` throws an AssertionError where it does not hold. */
export declare function expect(cluster: MatchedCluster): ClusterMatchers & { readonly not: ClusterMatchers }
`,
  'index.d.ts': `/// <reference lib="esnext.disposable" />
export type * from './types/simulate/library/simulate-api.js'
export type * from './types/simulate/library/server-api.js'
import type { StartServerOptions, TestServer } from './types/simulate/library/server-api.js'
import type { SimulateOptions, SimulationResult } from './types/simulate/library/simulate-api.js'
/** Simulates a rollout in virtual time, once for each pod replacement policy. Rejects with an InputError where the input is wrong; an expectation that is not met does not reject. */
export declare function simulate(options: SimulateOptions): Promise<SimulationResult>
/** The result as one HTML file with charts and numbers, as \`rollcall simulate --report\` writes it. */
export declare function renderReport(result: SimulationResult): string
/** A cluster with a real port, for clients and controllers in any language. */
export declare function startServer(options?: StartServerOptions): Promise<TestServer>
`,
}

export async function writeTypes(outdir) {
  const types = join(outdir, 'types')
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const args = [compiler, ...contracts.map((name) => `src/simulate/library/${name}.ts`), ...flags.split(' '), '--outDir', types]
  const [status] = await once(spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }), 'close')
  if (status !== 0) throw new Error(`Cannot write the types of rollcall/testing: the compiler ended with ${status}`)
  for (const name of readdirSync(types, { recursive: true }).filter((one) => one.endsWith('.d.ts'))) {
    const path = join(types, name)
    // The compiler leaves the ends of names as they are; those of declarations are looked for under .js.
    const text = readFileSync(path, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'")
    writeFileSync(path, text)
  }
  for (const [name, text] of Object.entries(entries)) writeFileSync(join(outdir, name), text)
}
