// The changes as text for a person: groups, sorted, with counts at the end. Pure.

const indent = (text) => `    ${text}`
const files = (list) => (list === undefined || list.length === 0 ? [] : list.map((one) => indent(`ours: ${one}`)))

function group(title, entries) {
  return entries.length === 0 ? [] : [`${title} (${entries.length})`, ...entries.flat().map((line) => `  ${line}`), '']
}

const maps = (title, { added, removed, changed }) => [
  ...group(
    `${title} added`,
    added.map(({ name, now, files: ours }) => [short(`${name}  ${now}`), ...files(ours)]),
  ),
  ...group(
    `${title} removed`,
    removed.map(({ name, before, files: ours }) => [short(`${name}  ${before}`), ...files(ours)]),
  ),
  ...group(
    `${title} changed`,
    changed.map(({ name, before, now, files: ours }) => [`${name}  ${before} → ${now}`, ...files(ours)]),
  ),
]

/** Discovery documents are long: the verbs are enough. */
const short = (text) => text.replace(/\s+\{.*$/, '')

const plural = (count, what) => `${count} ${what}${count === 1 ? '' : 's'}`

function all({ from, to, resources, types, fields, gates, functions, named }) {
  const { changed, indirect, removed, unknown, unnamed } = functions
  return [
    `Kubernetes ${from} → ${to}`,
    '',
    ...maps('Resources', resources),
    ...group(
      'Types added',
      types.added.map(({ name, fields: lines }) => [name, ...lines.map(indent)]),
    ),
    ...group(
      'Types removed',
      types.removed.map(({ name }) => [name]),
    ),
    ...group(
      'Types in another version',
      types.moved.map(({ name, before }) => [`${before} → ${name}`]),
    ),
    ...group(
      'Fields added',
      fields.added.map(({ name, attributes }) => [`${name}  ${attributes.join(' ')}`]),
    ),
    ...group(
      'Fields removed',
      fields.removed.map(({ name }) => [name]),
    ),
    ...group(
      'Fields changed',
      fields.changed.map(({ name, lost, gained }) => [
        `${name}  ${[...lost.map((word) => `-${word}`), ...gained.map((word) => `+${word}`)].join(' ')}`,
      ]),
    ),
    ...maps('Feature gates', gates),
    ...group(
      'Functions removed or moved',
      removed.map(({ name, files: ours, movedTo }) => [name, ...movedTo.map((one) => indent(`now in ${one}?`)), ...files(ours)]),
    ),
    ...group(
      'Functions changed',
      changed.map(({ name, lines, files: ours }) => [`${name}  ${lines[0]} → ${plural(lines[1], 'line')}`, ...files(ours)]),
    ),
    ...group(
      'Functions that use changed ones',
      indirect.map(({ name, uses, files: ours }) => [`${name}`, indent(`uses ${uses.join(', ')}`), ...files(ours)]),
    ),
    ...group(
      'New functions in the same files, that no rule names',
      unnamed.map(({ name, source }) => [`${name}  ${source}`]),
    ),
    ...group(
      `Names that ${from} does not have`,
      unknown.map(({ name, isNew, files: ours }) => [`${name}${isNew ? `  new in ${to}` : ''}`, ...files(ours)]),
    ),
    ...counts({ resources, types, fields, gates, functions, named }),
    '',
  ].join('\n')
}

function counts({ resources, types, fields, gates, functions, named }) {
  const three = ({ added, removed, moved, changed }) =>
    [
      `${added.length} added`,
      `${removed.length} removed`,
      ...(moved ? [`${moved.length} in another version`] : []),
      ...(changed ? [`${changed.length} changed`] : []),
    ].join(', ')
  const { changed, indirect, removed, unknown, unnamed } = functions
  return [
    `resources: ${three(resources)}`,
    `types: ${three(types)}`,
    `fields: ${three(fields)}`,
    `feature gates: ${three(gates)}`,
    `functions that rules name: ${named}, of which ${changed.length} changed, ${indirect.length} use changed ones, ${removed.length} removed or moved, ${unknown.length} not in the old version`,
    `new functions in their files: ${unnamed.length}`,
  ]
}

function packages(changes) {
  const lines = changes.flatMap(({ name, what, files: ours }) => [`${what.padEnd(8)} ${name}`, ...files(ours)])
  const count = (of) => changes.filter(({ what }) => what === of).length
  return [...lines, '', `${count('added')} added, ${count('removed')} removed, ${count('changed')} changed`, ''].join('\n')
}

export const format = { all, packages }
