<?php
// Reads PHP files with PHP's own tokenizer. PHP evaluates only single texts, which are constants, and executes nothing
// else.
function utf16(string $text): int
{
    $units = 0;
    foreach (count_chars($text, 1) as $byte => $count) {
        if (($byte & 0xc0) !== 0x80) $units += $byte >= 0xf0 ? 2 * $count : $count;
    }
    return $units;
}

/** A text that is one token, or a heredoc without variables; null for other tokens. */
function constant_text(array $tokens, int &$i): ?array
{
    $token = $tokens[$i];
    if ($token->id === T_CONSTANT_ENCAPSED_STRING && in_array($token->text[0], ['"', "'"], true)) {
        return [eval('return ' . $token->text . ';'), $token->text];
    }
    if ($token->id !== T_START_HEREDOC) return null;
    $raw = $token->text;
    $pure = true;
    for ($j = $i + 1; $tokens[$j]->id !== T_END_HEREDOC; $j++) {
        $raw .= $tokens[$j]->text;
        if ($tokens[$j]->id !== T_ENCAPSED_AND_WHITESPACE) $pure = false;
    }
    $raw .= $tokens[$j]->text;
    $i = $j;
    return [$pure ? eval('return ' . $raw . ';') : null, $raw];
}

function read(string $code): array
{
    $tokens = PhpToken::tokenize($code, TOKEN_PARSE);
    $at = str_starts_with($code, "\u{FEFF}") ? -1 : 0;
    $places = [];
    $kept = [];
    foreach ($tokens as $token) {
        if (!$token->isIgnorable()) {
            $places[] = $at;
            $kept[] = $token;
        } elseif (count($kept) > 0 && in_array(end($kept)->id, [T_START_HEREDOC], true)) {
            $places[] = $at;
            $kept[] = $token;
        }
        $at += utf16($token->text);
    }
    $entries = [];
    $frames = [['kind' => 'statement', 'key' => null, 'next' => 0, 'raw' => '']];
    for ($i = 0; $i < count($kept); $i++) {
        $token = $kept[$i];
        $top = count($frames) - 1;
        $before = $i > 0 ? $kept[$i - 1] : null;
        $place = $places[$i];
        $text = constant_text($kept, $i);
        $after = $kept[$i + 1] ?? null;
        if ($text !== null) {
            [$value, $raw] = $text;
            $isKey = $after?->id === T_DOUBLE_ARROW;
            if ($isKey || ($frames[$top]['kind'] === 'subscript' && $top > 0)) {
                $frames[$isKey ? $top : $top - 1]['key'] = (string) $value;
                continue;
            }
            $starts = $before !== null && in_array($before->text, ['[', '(', ',', '=>', '=', 'return'], true);
            $stops = $after === null || in_array($after->text, [',', ']', ')', ';'], true);
            $path = [];
            foreach ($frames as $depth => $frame) {
                if ($frame['kind'] === 'code') $stops = false;
                if ($frame['key'] !== null) $path[] = $frame['key'];
                elseif ($frame['kind'] === 'array') $path[] = (string) $frame['next'];
            }
            $isText = $value !== null && $starts && $stops;
            $entries[] = [
                'key' => $path,
                'value' => $value ?? $raw,
                'kind' => $isText ? 'text' : 'code',
                'at' => ['start' => $place, 'end' => $place + utf16($raw)],
            ];
            continue;
        }
        switch ($token->text) {
            case '[':
            case '#[':
                $isSubscript = $before !== null && ($before->id === T_VARIABLE || in_array($before->text, [']', ')', '}'], true));
                $frames[] = ['kind' => $isSubscript ? 'subscript' : 'array', 'key' => null, 'next' => 0, 'raw' => ''];
                break;
            case '(':
                $frames[] = ['kind' => $before?->id === T_ARRAY ? 'array' : 'code', 'key' => null, 'next' => 0, 'raw' => ''];
                break;
            case '{':
            case '${':
            case '{$':
                $frames[] = ['kind' => 'code', 'key' => null, 'next' => 0, 'raw' => ''];
                break;
            case ']':
            case ')':
            case '}':
                array_pop($frames);
                break;
            case ',':
                if ($frames[$top]['key'] === null) $frames[$top]['next']++;
                elseif (preg_match('/^(?:0|[1-9]\d*)$/', $frames[$top]['key'])) {
                    $frames[$top]['next'] = max($frames[$top]['next'], (int) $frames[$top]['key'] + 1);
                }
                $frames[$top]['key'] = null;
                $frames[$top]['raw'] = '';
                break;
            case ';':
                $frames[$top]['key'] = null;
                break;
            default:
                $frames[$top]['raw'] .= $token->text;
                if ($after?->id === T_DOUBLE_ARROW) $frames[$top]['key'] = $frames[$top]['raw'];
        }
    }
    return $entries;
}

$answers = [];
foreach (json_decode(stream_get_contents(STDIN), true) as $job) {
    try {
        $answers[] = ['entries' => read(base64_decode($job['data']))];
    } catch (Throwable $error) {
        $answers[] = ['refused' => $error->getMessage()];
    }
}
echo json_encode($answers, JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE);
