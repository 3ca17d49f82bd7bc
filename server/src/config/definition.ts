interface SettingBase {
  readonly description: string;
  /**
   * `machine-overridable` settings name programs of one machine and are ignored in an untrusted workspace. `machine` settings say where
   * text may be sent and with which secrets; no workspace can set them.
   */
  readonly scope: 'machine' | 'machine-overridable' | 'resource' | 'window';
}

interface TextSetting extends SettingBase {
  readonly type: 'string';
  readonly default: string;
}

interface ChoiceSetting extends SettingBase {
  readonly type: 'choice';
  readonly default: string;
  /** Each value with its one-line meaning. */
  readonly choices: Readonly<Record<string, string>>;
}

interface SwitchSetting extends SettingBase {
  readonly type: 'boolean';
  readonly default: boolean;
}

interface IntegerSetting extends SettingBase {
  readonly type: 'integer';
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
}

interface NumberSetting extends SettingBase {
  readonly type: 'number';
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
}

interface ListSetting extends SettingBase {
  readonly type: 'list';
  readonly default: readonly string[];
}

interface MapSetting extends SettingBase {
  readonly type: 'map';
  readonly default: Readonly<Record<string, string>>;
  /** The texts that are allowed, each with its one-line meaning; undefined: any. */
  readonly choices?: Readonly<Record<string, string>>;
}

export type SettingDefinition = TextSetting | ChoiceSetting | SwitchSetting | IntegerSetting | NumberSetting | ListSetting | MapSetting;
