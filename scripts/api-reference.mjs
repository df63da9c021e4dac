// docs/reference/api.md: the functions and types of the libraries, with their comments, read from the declarations in dist/.
import { join, relative } from 'node:path'
import { root } from './set-up.mjs'

const modules = [
  ['rollcall/testing', 'testing.d.ts', 'Clusters inside tests. See [the tutorial](../testing.md).'],
  [
    'rollcall/testing/vitest',
    'testing-vitest.d.ts',
    "`import 'rollcall/testing/vitest'` adds the `ClusterMatchers` to vitest's `expect`. It exports nothing.",
  ],
  [
    'rollcall/testing/node-test',
    'testing-node.d.ts',
    'The same matchers for node:test, and for any runner without an `expect` of its own.',
  ],
  ['rollcall', 'index.d.ts', 'Simulations and servers for programs.'],
]

/** Kubernetes objects are described by Kubernetes; only their names are listed. */
const isModel = (file) => /types\/(api|base)\//.test(file)

export async function apiReference() {
  const { default: ts } = await import('typescript')
  const dist = join(root, 'dist')
  const program = ts.createProgram(
    modules.map(([, file]) => join(dist, file)),
    { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, strict: true, types: [] },
  )
  const checker = program.getTypeChecker()
  const printed = new Set()
  const commentOf = (symbol) =>
    ts
      .displayPartsToString(symbol.getDocumentationComment(checker))
      .replaceAll(/\s*\n\s*/g, ' ')
      .trim()
  const sourceOf = (node) =>
    node
      .getText()
      .replaceAll(/\/\*\*[\s\S]*?\*\/\s*/g, '')
      .replaceAll(/^\s+/gm, '  ')
  const isOwn = (symbol) => !isModel(relative(dist, symbol.declarations[0].getSourceFile().fileName))

  const members = (declaration) =>
    declaration.members.map((member) => {
      const symbol = checker.getSymbolAtLocation(member.name)
      const about = symbol === undefined ? '' : commentOf(symbol)
      const text = sourceOf(member)
        .replaceAll(/\s*\n\s*/g, ' ')
        .replaceAll(/^readonly |;$/g, '')
      return `- \`${text.replaceAll('`', '')}\`${about === '' ? '' : `  \n  ${about}`}\n`
    })

  function describe(symbol) {
    const [declaration] = symbol.declarations
    const about = commentOf(symbol)
    const head = `### ${symbol.name}\n\n${about === '' ? '' : `${about}\n\n`}`
    if (ts.isInterfaceDeclaration(declaration)) {
      const above = (declaration.heritageClauses ?? []).map((clause) => clause.getText()).join(' ')
      return `${head}\`interface ${symbol.name}${above === '' ? '' : ` ${above}`}\`\n\n${members(declaration).join('')}\n`
    }
    const text = sourceOf(ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration)
    return `${head}\`\`\`ts\n${text.replaceAll(/^export (declare )?/gm, '')}\n\`\`\`\n\n`
  }

  const parts = modules.map(([name, file, about]) => {
    const source = checker.getSymbolAtLocation(program.getSourceFile(join(dist, file)))
    const all = source === undefined ? [] : checker.getExportsOfModule(source)
    const own = all
      .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
      .filter((symbol) => symbol.declarations !== undefined && isOwn(symbol) && !printed.has(symbol))
    for (const symbol of own) printed.add(symbol)
    const isFunction = (symbol) => (symbol.flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Variable)) !== 0
    const models = all.length - own.length > 20 ? kubernetesTypes(all) : ''
    return `## ${name}\n\n${about}\n\n${own
      .filter(isFunction)
      .concat(own.filter((symbol) => !isFunction(symbol)))
      .map(describe)
      .join('')}${models}`
  })

  function kubernetesTypes(all) {
    const names = all.map(({ name }) => name).filter((name) => /^[A-Z]/.test(name))
    const kinds = names.filter((name) =>
      /^(Pod|Deployment|ReplicaSet|StatefulSet|DaemonSet|Job|CronJob|Service|Node|ConfigMap|Secret|Namespace)$/.test(name),
    )
    return `### Types of Kubernetes objects\n\nFor every kind that the server knows there is a type: ${kinds
      .map((name) => `\`${name}\``)
      .join(', ')} and so on. They carry the fields of the proposals, such as \`spec.podReplacementPolicy\`, and are read-only.\n\n`
  }

  return `# API of the libraries

Generated from the types by \`npm run docs\`. \`Duration\` is a string such as \`250ms\`, \`90s\`, \`1h30m\`, or a number of milliseconds.

${parts.join('')}`
    .trimEnd()
    .concat('\n')
}
