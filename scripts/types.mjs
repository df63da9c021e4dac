// Writes the types of `rollcall/testing`: its contract and what that names, and nothing of what is behind it. They need no
// other package: the Kubernetes models that they name are copied from client-node as interfaces.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { root } from './set-up.mjs'

const flags =
  '--ignoreConfig --declaration --emitDeclarationOnly --rootDir src --target es2023 --module nodenext --types node --strict --skipLibCheck --allowImportingTsExtensions'

const entry = `export * from './types/simulate/cluster-api.js'
import type { CreateClusterOptions, TestCluster } from './types/simulate/cluster-api.js'
/** A cluster in virtual time, with its controllers, its scheduler and its nodes. */
export declare function createCluster(options?: CreateClusterOptions): Promise<TestCluster>
`

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
  const args = [compiler, 'src/simulate/cluster-api.ts', ...flags.split(' '), '--outDir', types]
  const [status] = await once(spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }), 'close')
  if (status !== 0) throw new Error(`Cannot write the types of rollcall/testing: the compiler ended with ${status}`)
  const named = new Set()
  for (const name of readdirSync(types, { recursive: true }).filter((one) => one.endsWith('.d.ts'))) {
    const path = join(types, name)
    // The compiler leaves the ends of names as they are; those of declarations are looked for under .js.
    const text = readFileSync(path, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'")
    const models = `${'../'.repeat(name.split(sep).length - 1) || './'}kubernetes-models.js`
    for (const [, model] of text.matchAll(/\bk8s\.([A-Za-z0-9]+)/g)) named.add(model)
    writeFileSync(path, text.replaceAll(`'${modelPackage}'`, `'${models}'`))
  }
  writeFileSync(join(types, 'kubernetes-models.d.ts'), modelsOf(named))
  writeFileSync(join(outdir, 'testing.d.ts'), entry)
}
