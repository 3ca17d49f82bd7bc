/** Method names and types of the messages that only this product's client and server exchange. */
import type { Position } from './base/text.ts';
import type { GenerationEvent as PipelineEvent, Stage, Turn } from './generation/contract.ts';
import type { VerdictKind } from './verification/verdict.ts';

/** Requests of the client; the types of parameters and answers stand in `Requests`. */
export const methods = {
  moduleAt: 'rtlCopilot/moduleAt',
  referenceCandidates: 'rtlCopilot/referenceCandidates',
  selectReference: 'rtlCopilot/selectReference',
  clearReference: 'rtlCopilot/clearReference',
  verify: 'rtlCopilot/verify',
  findFix: 'rtlCopilot/findFix',
  verdictReport: 'rtlCopilot/verdictReport',
  doctor: 'rtlCopilot/doctor',
  generate: 'rtlCopilot/generate',
  explain: 'rtlCopilot/explain',
} as const;

/** Notifications of the client. */
export const clientNotifications = {
  /** Carries a `RunParams`: the model is to stop thinking and to answer. */
  answerNow: 'rtlCopilot/answerNow',
  /** Carries an `ApiKeyParams`. */
  apiKey: 'rtlCopilot/apiKey',
  /** Look for model servers anew. */
  findModels: 'rtlCopilot/findModels',
} as const;

/** Notifications of the server. */
export const notifications = {
  status: 'rtlCopilot/status',
  inactive: 'rtlCopilot/inactive',
  missingSimulator: 'rtlCopilot/missingSimulator',
  modelStatus: 'rtlCopilot/modelStatus',
  /** Carries a `GenerationNews`. */
  generation: 'rtlCopilot/generation',
} as const;

/** Commands of the editor. Their argument is a `ModuleTarget`, of `generate` a `CommentTarget`, where a code lens names one. */
export const commands = {
  verify: 'rtlCopilot.verify',
  findFix: 'rtlCopilot.findFix',
  selectReference: 'rtlCopilot.selectReference',
  clearReference: 'rtlCopilot.clearReference',
  showVerdict: 'rtlCopilot.showVerdict',
  showInstances: 'rtlCopilot.showInstances',
  restartServer: 'rtlCopilot.restartServer',
  showLog: 'rtlCopilot.showLog',
  doctor: 'rtlCopilot.doctor',
  generate: 'rtlCopilot.generate',
  explain: 'rtlCopilot.explain',
  fixFinding: 'rtlCopilot.fixFinding',
  repair: 'rtlCopilot.repair',
  acceptProposal: 'rtlCopilot.acceptProposal',
  rejectProposal: 'rtlCopilot.rejectProposal',
  chooseProposal: 'rtlCopilot.chooseProposal',
  stopGeneration: 'rtlCopilot.stopGeneration',
  answerNow: 'rtlCopilot.answerNow',
  showReasoning: 'rtlCopilot.showReasoning',
  toggleSuggestions: 'rtlCopilot.toggleSuggestions',
  setApiKey: 'rtlCopilot.setApiKey',
  findModel: 'rtlCopilot.findModel',
  openSample: 'rtlCopilot.openSample',
} as const;

/** A comment by the document and the zero-based line that it begins on. */
export interface CommentTarget {
  readonly uri: string;
  readonly line: number;
}

/** What the client says about itself when it starts the server. */
export interface InitializationOptions {
  /** False: files are only parsed, and no program is run. */
  readonly trusted: boolean;
  /** Absolute folder for what the server keeps between sessions; undefined: it keeps nothing. */
  readonly storage?: string;
}

/** A module by the document that defines it. */
export interface ModuleTarget {
  readonly uri: string;
  readonly module: string;
}

export interface ModuleAtParams {
  readonly uri: string;
  /** Zero-based line and UTF-16 column. */
  readonly position: { readonly line: number; readonly character: number };
}

export interface ModuleAtAnswer {
  /** The module around the position, or the only one of the document. */
  readonly module: string | undefined;
  /** All modules of the document, in its order. */
  readonly modules: readonly string[];
}

export interface ReferenceCandidate {
  readonly target: ModuleTarget;
  /** Path for people: relative to the workspace folder, with forward slashes. */
  readonly path: string;
  /** How well the ports fit; a short phrase. */
  readonly match: string;
  readonly current: boolean;
}

/** `uri`: the document that it is about, besides the product as a whole. */
export interface DoctorParams {
  readonly uri?: string;
}

export interface SelectReferenceParams {
  readonly dut: ModuleTarget;
  readonly golden: ModuleTarget;
}

/** `message` is one full sentence for the user. */
export type ReferenceAnswer = { readonly kind: 'written'; readonly path: string } | { readonly kind: 'refused'; readonly message: string };

export type VerifyAnswer =
  /** `label` is the text of the verdict's lens, `reason` one full sentence. */
  | { readonly kind: 'verdict'; readonly verdict: VerdictKind; readonly label: string; readonly reason: string }
  | { readonly kind: 'no-reference' }
  /** A newer run of the same module took over. */
  | { readonly kind: 'superseded' }
  | { readonly kind: 'refused'; readonly message: string };

/** A small change with which a module is right. */
export interface OfferedFix {
  /** One full sentence. */
  readonly message: string;
  readonly uri: string;
  /** Of the text that was verified. */
  readonly version: number | undefined;
  readonly range: { readonly start: Position; readonly end: Position };
  readonly newText: string;
}

export type FindFixAnswer =
  /** The likeliest one. */
  | { readonly kind: 'found'; readonly fix: OfferedFix }
  /** `message` says why there is none. */
  | { readonly kind: 'none'; readonly message: string }
  | Exclude<VerifyAnswer, { readonly kind: 'verdict' }>;

/** A text to show in an editor. */
export interface ReportAnswer {
  readonly title: string;
  /** Markdown; undefined when there is nothing to report. */
  readonly text: string | undefined;
}

export interface StatusParams {
  readonly state: 'indexing' | 'ready' | 'verifying';
  /** Modules known so far. */
  readonly modules: number;
  /** How the newest look of a tool over a file went, as one full sentence; undefined before the first one. */
  readonly lint: string | undefined;
  /** The newest verdict of this session. */
  readonly last: { readonly target: ModuleTarget; readonly verdict: VerdictKind; readonly label: string; readonly stale: boolean } | undefined;
}

/** What conditionals leave out of a document; all of it each time. */
export interface InactiveParams {
  readonly uri: string;
  /** Zero-based lines and UTF-16 columns. */
  readonly ranges: readonly { readonly start: Place; readonly end: Place }[];
}

interface Place {
  readonly line: number;
  readonly character: number;
}

export interface MissingSimulatorParams {
  /** One full sentence. */
  readonly message: string;
  /** A command for a terminal, when one is known for this system. */
  readonly installCommand: string | undefined;
}

/** The key of the model server, from the editor's secret storage; it is kept in memory only. */
export interface ApiKeyParams {
  readonly key: string | undefined;
}

/** What is known of the server of one kind of model. */
export type ModelFace =
  | { readonly kind: 'unknown' }
  /** `model` is empty when the server names none. */
  | { readonly kind: 'found'; readonly model: string; readonly server: string }
  | { readonly kind: 'loading'; readonly message: string }
  /** `message` is one full sentence, `startCommand` a command line for a terminal. */
  | { readonly kind: 'none'; readonly message: string; readonly startCommand: string | undefined };

export interface ModelStatus {
  /** False: no model is looked for or asked. */
  readonly trusted: boolean;
  /** The model that writes modules. */
  readonly writer: ModelFace;
  /** Suggestions at the cursor. `waiting`: wanted, but there is no server; `unable`: the server can't, and the message says what would help. */
  readonly infill:
    | { readonly state: 'on'; readonly model: string }
    | { readonly state: 'off' | 'waiting' }
    | { readonly state: 'unable'; readonly message: string };
}

export type { Stage, Turn };

/** A run that the client began; it chooses the number. */
export interface RunParams {
  readonly run: number;
}

export interface GenerateParams extends RunParams {
  readonly uri: string;
  readonly task:
    /** A module from the comment at a zero-based line, or right above it. `model`: its table, if it has one, is left to the model too. */
    | { readonly kind: 'comment'; readonly line: number; readonly model: boolean }
    /** The module around a zero-based position, without a finding. */
    | { readonly kind: 'fix'; readonly position: { readonly line: number; readonly character: number }; readonly message: string }
    /** A module whose last verdict is `different`, so that it agrees with its reference. */
    | { readonly kind: 'repair'; readonly module: string };
}

/** A module that may take the place of what is there. */
export interface Proposal {
  readonly module: string;
  /** What goes into the span. */
  readonly code: string;
  /** Exactly what is known of it, such as "proved equivalent"; no more. */
  readonly confidence: string;
  /** Remarks that qualify it, each one sentence. */
  readonly notes: readonly string[];
}

export type GenerateAnswer =
  /** Best first; never empty. `span` are offsets of the document's text at `version`. */
  | { readonly kind: 'proposals'; readonly version: number; readonly span: { readonly start: number; readonly end: number }; readonly proposals: readonly Proposal[] }
  /** `reason` is one or two full sentences. `tableProblems`: the table is marked in the document, and only a model could write the module. */
  | { readonly kind: 'failed'; readonly reason: string; readonly startCommand: string | undefined; readonly tableProblems: boolean }
  | { readonly kind: 'cancelled' };

export interface ExplainParams extends RunParams, ModuleTarget {}

export type ExplainAnswer =
  | { readonly kind: 'explained'; readonly title: string; readonly text: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly startCommand: string | undefined }
  | { readonly kind: 'cancelled' };

/** What a run tells while it goes on. */
export type GenerationEvent =
  | { readonly kind: 'model'; readonly name: string; readonly server: string }
  | { readonly kind: 'candidate'; readonly turn: Turn; readonly confidence: string }
  | Exclude<PipelineEvent, { readonly kind: 'prompt' | 'candidate' }>;

export interface GenerationNews extends RunParams {
  readonly event: GenerationEvent;
}

/** Parameters and answer of each request, by method. */
export interface Requests {
  [methods.moduleAt]: { params: ModuleAtParams; answer: ModuleAtAnswer };
  [methods.referenceCandidates]: { params: ModuleTarget; answer: readonly ReferenceCandidate[] };
  [methods.selectReference]: { params: SelectReferenceParams; answer: ReferenceAnswer };
  [methods.clearReference]: { params: ModuleTarget; answer: ReferenceAnswer };
  [methods.verify]: { params: ModuleTarget; answer: VerifyAnswer };
  [methods.findFix]: { params: ModuleTarget; answer: FindFixAnswer };
  [methods.verdictReport]: { params: ModuleTarget; answer: ReportAnswer };
  [methods.doctor]: { params: DoctorParams; answer: ReportAnswer };
  [methods.generate]: { params: GenerateParams; answer: GenerateAnswer };
  [methods.explain]: { params: ExplainParams; answer: ExplainAnswer };
}
