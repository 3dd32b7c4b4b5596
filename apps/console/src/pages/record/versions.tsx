import { Button, Group, Text } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import type { FileVersion } from '../../api/answers.js';
import { describeError, isDenied } from '../../api/errors.js';
import type { AnyRecord } from '../../api/records.js';
import { unsortedField } from '../../components/columns.js';
import { bytesText } from '../../components/field-value.js';
import { More, useGrowingList } from '../../components/growing-list.js';
import { Hash } from '../../components/hash.js';
import { type Column, RecordTable } from '../../components/record-table.js';
import { Section } from '../../components/section.js';
import { Failed, Loading } from '../../components/states.js';
import { usePoint } from '../../point/point-context.js';
import { useReads, viewOptions } from '../../point/use-point-query.js';
import { useDriveQuery } from '../../session/use-drive-query.js';
import { save } from '../../save.js';
import { texts } from '../../texts.js';
import { visibleText } from '../../visible-text.js';
import styles from './record.module.css';

/** Larger content is offered for download only. */
const MOST_PREVIEWED_BYTES = 5_000_000;
const MOST_PREVIEWED_TEXT = 200_000;

/** The versions of a file at the point, and a preview of the one that was current. */
export function Versions({ file }: { readonly file: AnyRecord }) {
  const { past } = usePoint();
  const reads = useReads();
  const [chosen, setChosen] = useState<string | null>(null);
  const list = useGrowingList<FileVersion>({
    key: ['versions', file.id, past],
    read: async (page, options) =>
      (await reads()).directory.versions({ file_id: file.id, ...page }, options),
    keepsPrevious: (key) => key[2] === file.id,
    ...viewOptions(past),
  });
  const { rows, error } = list;
  const versions = rows ?? [];
  const shown = versions.find(({ version_id }) => version_id === chosen) ?? versions[0];
  const columns = columnsOf(file, shown, setChosen);
  // Who may view a file may see its content, and its versions only with EDIT.
  const previewed = shown ?? (error ? currentContent(file) : undefined);
  return (
    <>
      <Section title={texts.versions.title}>
        {rows ? (
          <>
            <RecordTable
              label={texts.versions.title}
              columns={columns}
              rows={versions}
              keyOf={({ version_id }) => version_id}
              is_stale={list.is_stale}
            />
            <More list={list} shown={versions.length} text={texts.versions.total} />
          </>
        ) : isDenied(error) ? (
          <Text c="dimmed">{texts.versions.denied}</Text>
        ) : error ? (
          <Failed error={error} onRetry={() => void list.refetch()} />
        ) : (
          <Loading />
        )}
      </Section>
      {previewed && (
        <Section title={texts.versions.preview(previewed.file_version)}>
          <Preview key={previewed.version_id} file={file} version={previewed} />
        </Section>
      )}
    </>
  );
}

/** Content to show; without a version, that of the file at the point. */
type Content = Pick<FileVersion, 'file_version' | 'size' | 'media_type' | 'content_available'> & {
  readonly version_id: string | null;
};

function currentContent(file: AnyRecord): Content | undefined {
  const { file_version, file_size, media_type, content_available } = file;
  if (typeof file_version !== 'number' || file_version === 0) return undefined;
  return {
    ...{ version_id: null, file_version, size: Number(file_size) },
    media_type: (media_type ?? null) as string | null,
    content_available: content_available === true,
  } as Content;
}

function columnsOf(
  file: AnyRecord,
  shown: FileVersion | undefined,
  onChoose: (version_id: string) => void,
): readonly Column<FileVersion>[] {
  return [
    {
      key: 'version',
      title: texts.versions.version,
      show: ({ file_version, is_current }) =>
        is_current ? texts.versions.current(file_version) : file_version,
    },
    unsortedField<FileVersion>('created_at'),
    unsortedField<FileVersion>('created_by', { is_minor: true }),
    {
      key: 'size',
      title: texts.columns.file_size,
      show: ({ size }) => bytesText(size),
      is_number: true,
    },
    {
      key: 'sha256',
      title: texts.fields.sha256!,
      show: ({ sha256 }) => (sha256 ? <Hash hex={sha256} /> : '—'),
      is_minor: true,
    },
    {
      key: 'actions',
      title: texts.versions.content,
      on_screen_only: true,
      show: (version) => (
        <Group gap={4} wrap="nowrap">
          <Button
            size="compact-xs"
            variant={version === shown ? 'light' : 'subtle'}
            aria-pressed={version === shown}
            onClick={() => onChoose(version.version_id)}
          >
            {texts.versions.show}
          </Button>
          <Download file={file} version={version} />
        </Group>
      ),
    },
  ];
}

interface ContentProps {
  readonly file: AnyRecord;
  readonly version: Content;
}

function Download({ file, version }: ContentProps) {
  const reads = useReads();
  const [problem, setProblem] = useState<string | null>(null);
  async function download(): Promise<void> {
    setProblem(null);
    try {
      const { version_id } = version;
      const { directory } = await reads();
      const content = await directory.download(file.id, { version_id: version_id! });
      save(await content.blob(), String(file.name));
    } catch (error) {
      setProblem(describeError(error).message);
    }
  }
  return (
    <>
      <Button
        size="compact-xs"
        variant="subtle"
        disabled={!version.content_available}
        onClick={() => void download()}
      >
        {texts.versions.download}
      </Button>
      {problem && (
        <Text size="xs" c="red" role="alert">
          {problem}
        </Text>
      )}
    </>
  );
}

type Shape = 'image' | 'text' | 'audio' | 'video' | 'none';

/** Names of texts whose media type says nothing. */
const TEXT_NAME = /\.(?:csv|json|log|md|txt|xml|ya?ml)$/i;

/** How content can be shown. Nothing is ever rendered as a page: it could contain scripts. */
function shapeOf(media_type: string, name: string): Shape {
  if (media_type === 'application/octet-stream' && TEXT_NAME.test(name)) return 'text';
  const [kind] = media_type.split('/');
  if (kind === 'image' || kind === 'audio' || kind === 'video') return kind;
  const is_text = kind === 'text' || /^application\/(?:json|xml|.+\+(?:json|xml))/.test(media_type);
  return is_text ? 'text' : 'none';
}

function Preview({ file, version }: ContentProps) {
  const { past } = usePoint();
  const reads = useReads();
  const { content_available, size, media_type } = version;
  const shape = shapeOf(media_type ?? '', String(file.name));
  const is_shown = content_available && shape !== 'none' && size <= MOST_PREVIEWED_BYTES;
  const { data, error } = useDriveQuery(
    // Content of a version never changes.
    ['content', version.version_id ?? [file.id, past], past.as_user],
    async (_, options) => {
      const { version_id } = version;
      const chosen = version_id === null ? {} : { version_id };
      const { directory } = await reads();
      return (await directory.download(file.id, { ...chosen, ...options })).blob();
    },
    { enabled: is_shown, staleTime: Infinity, gcTime: 60_000 },
  );
  if (!content_available) return <Text c="dimmed">{texts.versions.gone}</Text>;
  if (!is_shown) return <Text c="dimmed">{texts.versions.no_preview}</Text>;
  if (error) return <Failed error={error} />;
  if (!data) return <Loading />;
  return shape === 'text' ? (
    <TextPreview content={data} />
  ) : (
    <MediaPreview content={data} shape={shape} name={String(file.name)} />
  );
}

function TextPreview({ content }: { readonly content: Blob }) {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    let is_wanted = true;
    void content
      .slice(0, MOST_PREVIEWED_TEXT)
      .text()
      .then((read) => is_wanted && setText(visibleText(read)));
    return () => void (is_wanted = false);
  }, [content]);
  if (text === null) return <Loading />;
  return (
    <>
      <pre className={styles.previewText}>{text}</pre>
      {content.size > MOST_PREVIEWED_TEXT && (
        <Text size="sm" c="dimmed" mt={4}>
          {texts.versions.shortened(bytesText(MOST_PREVIEWED_TEXT), bytesText(content.size))}
        </Text>
      )}
    </>
  );
}

interface MediaPreviewProps {
  readonly content: Blob;
  readonly shape: 'image' | 'audio' | 'video' | 'none';
  readonly name: string;
}

function MediaPreview({ content, shape, name }: MediaPreviewProps) {
  const show = useCallback(
    (element: HTMLImageElement | HTMLMediaElement | null) => {
      if (!element) return;
      const url = URL.createObjectURL(content);
      element.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [content],
  );
  if (shape === 'image')
    return (
      <img ref={show} className={`${styles.preview} ${styles.checkered}`} alt={visibleText(name)} />
    );
  if (shape === 'audio') return <audio ref={show} controls aria-label={visibleText(name)} />;
  return <video ref={show} className={styles.preview} controls aria-label={visibleText(name)} />;
}
