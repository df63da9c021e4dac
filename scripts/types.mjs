// Writes the types of the libraries: their contracts and what those name, and nothing of what is behind them. They need no
// other package: the Kubernetes models that they name are copied from client-node as interfaces.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { root } from './set-up.mjs'

const flags =
  '--ignoreConfig --declaration --emitDeclarationOnly --rootDir src --target es2023 --lib es2023,esnext.disposable --module nodenext --types node --strict --skipLibCheck --allowImportingTsExtensions'

/** What the compiler reads. Their types are whole; the functions behind them are declared below. */
const contracts = ['cluster-api', 'server-api', 'simulate-api', 'matcher-api']

/** The declarations of package.json's exports. Disposable objects are named for projects with an older `lib`. */
const entries = {
  'testing.d.ts': `/// <reference lib="esnext.disposable" />
export type * from './types/simulate/cluster-api.js'
export type * from './types/simulate/server-api.js'
export type * from './types/simulate/matcher-api.js'
import type { CreateClusterOptions, TestCluster } from './types/simulate/cluster-api.js'
import type { Matchers } from './types/simulate/matcher-api.js'
import type { StartServerOptions, TestServer } from './types/simulate/server-api.js'
/** A cluster in virtual time, with its controllers, its scheduler and its nodes, inside the process and without a port. */
export declare function createCluster(options?: CreateClusterOptions): Promise<TestCluster>
/** A cluster with a real port, for clients and controllers in any language. */
export declare function startServer(options?: StartServerOptions): Promise<TestServer>
/** For \`expect.extend(matchers)\` of vitest and jest. */
export declare const matchers: Matchers
`,
  'testing-vitest.d.ts': `import 'vitest'
import type { ClusterMatchers } from './types/simulate/matcher-api.js'
declare module 'vitest' {
  interface Matchers<T = any> extends ClusterMatchers<void> {}
}
`,
  'testing-node.d.ts': `/// <reference lib="esnext.disposable" />
import type { ClusterMatchers, MatchedCluster } from './types/simulate/matcher-api.js'
/** \`await expect(cluster).toKeepCap('deployment/web')\` throws an AssertionError where it does not hold. */
export declare function expect(cluster: MatchedCluster): ClusterMatchers & { readonly not: ClusterMatchers }
`,
  'index.d.ts': `/// <reference lib="esnext.disposable" />
export type * from './types/simulate/simulate-api.js'
export type * from './types/simulate/server-api.js'
import type { StartServerOptions, TestServer } from './types/simulate/server-api.js'
import type { SimulateOptions, SimulationResult } from './types/simulate/simulate-api.js'
/** Simulates a rollout in virtual time, once for each pod replacement policy. Rejects with an InputError where the input is wrong; an expectation that is not met does not reject. */
export declare function simulate(options: SimulateOptions): Promise<SimulationResult>
/** The result as one HTML file with charts and numbers, as \`rollcall simulate --report\` writes it. */
export declare function renderReport(result: SimulationResult): string
/** A cluster with a real port, for clients and controllers in any language. */
export declare function startServer(options?: StartServerOptions): Promise<TestServer>
`,
}

const modelPackage = '@kubernetes/client-node'
const modelsHead = `// The models of the Kubernetes API that the types of rollcall/testing name: generated from ${modelPackage}
// (Apache-2.0, https://github.com/kubernetes-client/javascript), without the classes behind them.
export type IntOrString = number | string
export type V1MicroTime = Date
`

/** The named models and those that they name in turn, as interfaces: fields with their comments, and no static members. */
function modelsOf(names) {
  const texts = new Map()
  const wanted = [...names]
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (texts.has(name)) continue
    const text = readFileSync(join(root, 'node_modules', modelPackage, 'dist/gen/models', `${name}.d.ts`), 'utf8')
    const [, fields] = new RegExp(`export declare class ${name} \\{\\n([\\s\\S]*?)^    static `, 'm').exec(text) ?? []
    if (fields === undefined) throw new Error(`Cannot read the model ${name} of ${modelPackage}: it is not written as expected`)
    texts.set(name, `export interface ${name} {\n${fields}}\n`)
    for (const [, imported] of text.matchAll(/^import \{ ([A-Za-z0-9]+) \} from '\.\.\/models\//gm)) wanted.push(imported)
  }
  return (
    modelsHead +
    [...texts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, text]) => text)
      .join('')
  )
}

export async function writeTypes(outdir) {
  const types = join(outdir, 'types')
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const args = [compiler, ...contracts.map((name) => `src/simulate/${name}.ts`), ...flags.split(' '), '--outDir', types]
  const [status] = await once(spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }), 'close')
  if (status !== 0) throw new Error(`Cannot write the types of rollcall/testing: the compiler ended with ${status}`)
  const named = new Set()
  for (const name of readdirSync(types, { recursive: true }).filter((one) => one.endsWith('.d.ts'))) {
    const path = join(types, name)
    // The compiler leaves the ends of names as they are; those of declarations are looked for under .js.
    const text = readFileSync(path, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'")
    const models = `${'../'.repeat(name.split(sep).length - 1) || './'}kubernetes-models.js`
    for (const [, model] of text.matchAll(/\bk8s\.([A-Z][A-Za-z0-9]+)/g)) named.add(model)
    writeFileSync(path, text.replaceAll(`'${modelPackage}'`, `'${models}'`))
  }
  writeFileSync(join(types, 'kubernetes-models.d.ts'), modelsOf(named))
  for (const [name, text] of Object.entries(entries)) writeFileSync(join(outdir, name), text)
}
