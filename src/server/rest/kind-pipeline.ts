// What requests for a kind go through, put together once for each kind: no request asks which kind it is about.
// Ours: the order of the steps is that of the functions which ./write-pipeline.ts names.
import type { Kind } from '../../api/machinery/kind.ts'
import type { AdmissionPlugin } from '../admission/plugin.ts'
import type { KindBehavior } from '../kinds/kind-behavior.ts'
import { admit, check } from './admission.ts'
import { type EndpointRules, endpointRules } from './update-rules.ts'
import { checkVersion, fillDefaults, prepare, setIdentity, shareParts, trackFields, validate, type Write } from './write-steps.ts'

type Step = (write: Write) => void

export interface KindPipeline {
  readonly behavior: KindBehavior
  /** The plugins that concern the kind, by what they do. */
  readonly plugins: Readonly<Record<'awaiting' | 'admitting' | 'checking' | 'deleting', readonly AdmissionPlugin[]>>
  readonly rules: EndpointRules
  /** The steps of a write between `decode` and mutating policies and webhooks. */
  readonly beforeMutation: readonly Step[]
  /** The steps of a write between those and validating policies and webhooks. */
  readonly afterMutation: readonly Step[]
}

export class KindPipelines {
  readonly #behaviorOf: (kind: Kind) => KindBehavior
  readonly #plugins: readonly AdmissionPlugin[]
  readonly #known = new WeakMap<Kind, KindPipeline>()

  /** `plugins`: in the order in which they run. */
  constructor(behaviorOf: (kind: Kind) => KindBehavior, plugins: readonly AdmissionPlugin[]) {
    this.#behaviorOf = behaviorOf
    this.#plugins = plugins
  }

  of(kind: Kind): KindPipeline {
    let pipeline = this.#known.get(kind)
    if (pipeline === undefined) {
      pipeline = assemble(
        kind,
        this.#behaviorOf(kind),
        this.#plugins.filter(({ concerns }) => concerns === undefined || concerns(kind)),
      )
      this.#known.set(kind, pipeline)
    }
    return pipeline
  }
}

/** Each step changes the next object or refuses it. */
function assemble(kind: Kind, behavior: KindBehavior, plugins: readonly AdmissionPlugin[]): KindPipeline {
  return {
    behavior,
    plugins: {
      awaiting: plugins.filter(({ awaits }) => awaits !== undefined),
      admitting: plugins.filter((plugin) => plugin.admit !== undefined),
      checking: plugins.filter((plugin) => plugin.check !== undefined),
      deleting: plugins.filter(({ admitDelete }) => admitDelete !== undefined),
    },
    rules: endpointRules(kind, behavior),
    beforeMutation: present([
      kind.strategy.hasEqualSpecs && shareParts, // equal specs, labels and owners of pods become one object
      fillDefaults, // fields that the writer may omit
      setIdentity, // name, namespace and owners, as the request says
      behavior.identify, // who requests a certificate
      trackFields, // metadata.managedFields
      admit, // admission plugins that may change the object
    ]),
    afterMutation: present([
      behavior.authorize, // roles grant no more than their writer has; only some may sign a certificate
      checkVersion, // metadata.resourceVersion of an update
      prepare, // fields that the server decides: uid, timestamps, generation, status
      behavior.allocate, // addresses of a Service
      validate, // metadata and the rules of the kind
      check, // admission plugins that only refuse
    ]),
  }
}

const present = (steps: readonly (Step | false | undefined)[]): readonly Step[] =>
  steps.filter((step) => step !== undefined && step !== false)
